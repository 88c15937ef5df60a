"""Imported by the expressions of a program: collects the values that they report, and writes them down when it ends."""

import atexit
import json
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
    text = repr(value)
    return text if len(text) <= _longest + 2 else None


def _write():
    path = os.path.join(os.environ["CULPRIT_VALUES"], "values-%d-0.json" % os.getpid())
    with open(path, "w") as file:
        json.dump([[number, _literal(value)] for number, value in _seen.items()], file)


if os.environ.get("CULPRIT_VALUES"):
    atexit.register(_write)
