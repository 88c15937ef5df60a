"""Imported by the expressions and functions of a program: collects what they report, and writes it down when it ends."""

import atexit
import json
import keyword
import os

_longest = 60
_none = object()
_seen = {}
_plain = (int, float, str, bool, type(None))


def seen(number, value):
    known = _seen.get(number, _seen)
    if known is _seen:
        _seen[number] = value if type(value) in _plain else _none
    elif known is not _none and not (type(known) is type(value) and known == value):
        _seen[number] = _none
    return value


def _literal(value):
    if value is _none or value != value or value in (float("inf"), float("-inf")):
        return None
    try:
        text = repr(value)
    except ValueError:
        # An integer may have too many digits to be written.
        return None
    return text if len(text) <= _longest + 2 else None


# A longer call is not worth writing down.
_longest_call = 2000
_most_calls = 200
_known = {}
_calls = []


class _TooLong(Exception):
    pass


def _written(value, room, around=()):
    """A value in the form in which a program can write it; what has no such form is as good as nothing."""
    kind = type(value)
    if kind in (str, bytes) and len(value) > _longest_call:
        raise _TooLong
    if kind in _plain or kind in (bytes, complex):
        text = repr(value)
        if text in ("nan", "inf", "-inf"):
            text = "float('%s')" % text
        room[0] -= len(text)
        if room[0] < 0:
            raise _TooLong
        return text
    room[0] -= 3
    if room[0] < 0:
        raise _TooLong
    if any(value is one for one in around):
        return "None"
    around += (value,)

    def each(values):
        return [_written(one, room, around) for one in values]

    if kind is list:
        return "[%s]" % ", ".join(each(value))
    if kind is tuple:
        return "(%s)" % "".join(one + ", " for one in each(value))
    if kind in (set, frozenset):
        return "%s([%s])" % (kind.__name__, ", ".join(sorted(each(value))))
    if kind is dict:
        return "{%s}" % ", ".join(":".join(each(pair)) for pair in value.items())
    if callable(value):
        return "(lambda *a, **k: None)"
    fields = getattr(value, "__dict__", None)
    if kind.__module__ == "builtins" or type(fields) is not dict:
        return "None"
    named = ["%s=%s" % (name, _written(one, room, around)) for name, one in fields.items() if _is_name(name)]
    return "thing(%s)" % ", ".join(named)


def _is_name(name):
    return type(name) is str and name.isidentifier() and not keyword.iskeyword(name)


def called(number, given):
    known = _known.setdefault(number, [0, set()])
    known[0] += 1
    # A function that is called often is not looked at for ever.
    if known[0] > 10 * _most_calls or len(known[1]) >= _most_calls:
        return
    room = [_longest_call]
    try:
        text = ", ".join((name and name + "=") + _written(value, room) for name, value in given)
    except Exception:
        # It is too long, or a field of it is computed and fails. The program must not notice.
        return
    if text not in known[1]:
        known[1].add(text)
        _calls.append([number, text])


def _write_calls():
    path = os.path.join(os.environ["CULPRIT_VALUES"], "calls-%d-0.json" % os.getpid())
    with open(path, "w") as file:
        json.dump(_calls, file)


def _write():
    path = os.path.join(os.environ["CULPRIT_VALUES"], "values-%d-0.json" % os.getpid())
    with open(path, "w") as file:
        json.dump([[number, _literal(value)] for number, value in _seen.items()], file)


if os.environ.get("CULPRIT_VALUES") and os.environ.get("CULPRIT_CALLS"):
    atexit.register(_write_calls)
elif os.environ.get("CULPRIT_VALUES"):
    atexit.register(_write)
