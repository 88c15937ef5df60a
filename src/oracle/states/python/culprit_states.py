"""Watches a Python program through sys.settrace: which lines run, what is in memory at a place, and what if that were different.

The graph that is written is described in circumstances/states/graph.ts. No code of the program runs for it: attributes are
read from __dict__ and slots, never through a property or __getattr__.
"""

import array
import atexit
import base64
import collections
import ctypes
import json
import linecache
import os
import pickle
import sys
import sysconfig
import types

MOST_VALUES = 300_000
MOST_FRAMES = 40
LONGEST = 1_000_000
_library = tuple(
    os.path.join(os.path.realpath(path), "")
    for path in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), os.path.dirname(os.path.abspath(__file__))}
    if path
)
_packages = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)
_is_own = {}


def start(folder):
    ordinal = _claim(folder)
    with open(os.path.join(folder, "request.json"), encoding="utf-8") as file:
        request = json.load(file)
    if request.get("process", ordinal) != ordinal:
        return
    kind = request["kind"]
    watcher = {"look": Look, "trace": Trace, "capture": Capture, "apply": Apply}[kind](folder, request, ordinal)
    atexit.register(watcher.finish)
    # A child that is forked off goes its own way.
    os.register_at_fork(after_in_child=lambda: (sys.settrace(None), atexit.unregister(watcher.finish)))
    sys.settrace(watcher.called)


def _claim(folder):
    number = 0
    while True:
        try:
            os.close(os.open(os.path.join(folder, f"process-{number}"), os.O_CREAT | os.O_EXCL))
            return number
        except FileExistsError:
            number += 1


def is_own(path):
    """Whether a file belongs to the program or a package that it uses, and not to Python itself."""
    known = _is_own.get(path)
    if known is None:
        real = os.path.realpath(path)
        inside = real.startswith(_library) and not any(part in real for part in _packages)
        known = _is_own[path] = not path.startswith("<") and not inside
    return known


def name_of(code):
    return "(top)" if code.co_name == "<module>" else getattr(code, "co_qualname", code.co_name)


def depth_of(frame):
    depth = 0
    while frame is not None and depth < 500:
        depth += 1
        frame = frame.f_back
    return depth


class Watcher:
    def __init__(self, folder, request, ordinal):
        self.folder, self.request, self.ordinal = folder, request, ordinal
        self.numbers = {}
        for number, location in enumerate(request.get("locations", [])):
            self.numbers[(os.path.realpath(location["path"]), location["line"])] = number
        self.real = {}

    def path_of(self, frame):
        path = frame.f_code.co_filename
        real = self.real.get(path)
        if real is None:
            real = self.real[path] = os.path.realpath(path)
        return real

    def called(self, frame, event, argument):
        return self.line if is_own(frame.f_code.co_filename) else None

    def line(self, frame, event, argument):
        if event == "line":
            self.at(frame)
        return self.line

    def finish(self):
        sys.settrace(None)

    def write(self, name, value):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            json.dump(value, file)


class Look(Watcher):
    """Counts how often each line runs."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.counts = {}

    def at(self, frame):
        key = (frame.f_code, frame.f_lineno)
        self.counts[key] = self.counts.get(key, 0) + 1

    def finish(self):
        super().finish()
        files = {}
        for (code, line), count in self.counts.items():
            path = os.path.realpath(code.co_filename)
            statements = files.setdefault(path, {})
            before = statements.get(line, (0, ""))[0]
            statements[line] = (before + count, name_of(code))
        self.write(
            f"look-{self.ordinal}.json",
            [
                {
                    "path": path,
                    "longest": max(map(len, linecache.getlines(path)), default=0),
                    "statements": [[line, 1, count, name] for line, (count, name) in sorted(lines.items())],
                }
                for path, lines in sorted(files.items())
            ],
        )


class Trace(Watcher):
    """Records in which order lines run, with the depth of the stack."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.steps = array.array("i")

    def at(self, frame):
        number = self.numbers.get((self.path_of(frame), frame.f_lineno))
        if number is not None and len(self.steps) < 2_000_000:
            self.steps.extend((number, depth_of(frame)))

    def finish(self):
        super().finish()
        with open(os.path.join(self.folder, "trace.bin"), "wb") as file:
            self.steps.tofile(file)


class Stopping(Watcher):
    """Stops at places: the n-th time that a line is reached."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.hits = {}
        self.places = {(place["location"], place["hit"]): i for i, place in enumerate(self.request["places"])}
        self.wanted = {location for location, _ in self.places}

    def at(self, frame):
        number = self.numbers.get((self.path_of(frame), frame.f_lineno))
        if number not in self.wanted:
            return
        hit = self.hits.get(number, 0)
        self.hits[number] = hit + 1
        place = self.places.pop((number, hit), None)
        if place is None:
            return
        try:
            self.stop(place, frame)
        except Exception as error:  # The program must go on as if nobody had looked.
            self.write("trouble.json", f"{type(error).__name__}: {error}")
        if not self.places:
            sys.settrace(None)
            while frame is not None:
                frame.f_trace = None
                frame = frame.f_back


class Capture(Stopping):
    def stop(self, place, frame):
        self.write(f"state-{place}.json", captured(stack_of(frame)))


class Apply(Stopping):
    def stop(self, place, frame):
        Transplant(self.request, stack_of(frame)).apply()
        self.write("applied.json", True)


def stack_of(frame):
    frames = []
    while frame is not None and len(frames) < MOST_FRAMES:
        if is_own(frame.f_code.co_filename):
            frames.append(frame)
        frame = frame.f_back
    return frames


def roots_of(frames):
    """The variables of all frames: scope 0 are locals, scope 1 those of the module around a function."""
    roots, seen = [], set()
    for number, frame in enumerate(frames):
        for name, value in frame.f_locals.items():
            if is_state(name, value):
                roots.append(({"frame": number, "scope": 0, "name": name}, value))
    modules = {id(frame.f_globals) for frame in frames if frame.f_locals is frame.f_globals}
    for number, frame in enumerate(frames):
        if id(frame.f_globals) in modules or id(frame.f_globals) in seen:
            continue
        seen.add(id(frame.f_globals))
        for name, value in frame.f_globals.items():
            if is_state(name, value):
                roots.append(({"frame": number, "scope": 1, "name": name, "outer": True}, value))
    return roots


def is_state(name, value):
    return not (name.startswith("__") and name.endswith("__")) and not isinstance(value, types.ModuleType)


def captured(frames):
    listed = [
        {"frame": i, "function": name_of(each.f_code), "path": os.path.realpath(each.f_code.co_filename), "line": each.f_lineno}
        for i, each in enumerate(frames)
    ]
    graph = Graph()
    roots = [{**root, "value": graph.refer(value)} for root, value in roots_of(frames)]
    nodes = []
    while len(nodes) < len(graph.objects):
        nodes.append(graph.node(graph.objects[len(nodes)]))
    return {"frames": listed, "roots": roots, "nodes": nodes, **({"truncated": True} if graph.left <= 0 else {})}


class Graph:
    def __init__(self):
        self.ids, self.objects, self.left = {}, [], MOST_VALUES

    def refer(self, value):
        self.left -= 1
        if value is None or value is True or value is False:
            return value
        kind = type(value)
        if kind is str:
            return value if len(value) <= LONGEST else ["o", "a very long string"]
        if kind is int:
            return value if abs(value) < 2**53 else ["u", str(value)] if abs(value) < 10**4000 else ["o", "a very long number"]
        if kind is float:
            return ["u", repr(value)]
        if self.left <= 0:
            return ["o", "beyond the limit"]
        number = self.ids.get(id(value))
        if number is None:
            number = self.ids[id(value)] = len(self.objects)
            self.objects.append(value)
        return ["r", number]

    def node(self, value):
        kind = type(value)
        if isinstance(value, types.ModuleType):
            return {"k": "known", "c": f"module {value.__name__}"}
        if isinstance(value, type):
            return self.class_node(value)
        if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
            return {"k": "code", "c": "function", "x": f"{value.__module__}.{value.__qualname__}", "fixed": True, "e": []}
        if kind in _pickled:
            return {"k": "value", "c": kind.__name__, "x": base64.b64encode(pickle.dumps(value)).decode(), "t": repr(value)[:200], "fixed": True}
        if kind in (bytes, bytearray):
            fixed = {"fixed": True} if kind is bytes else {}
            return {"k": "bytes", "c": kind.__name__, "x": base64.b64encode(value).decode(), **fixed}
        like = {"c": kind.__name__, "p": self.refer(kind)}
        fields = [[name, self.refer(each)] for name, each in fields_of(value)]
        if isinstance(value, (list, collections.deque)):
            items = list.__iter__(value) if isinstance(value, list) else iter(value)
            return {"k": "list", **like, "a": [self.refer(each) for each in items], "e": fields}
        if isinstance(value, tuple):
            return {"k": "list", **like, "fixed": True, "a": [self.refer(each) for each in tuple.__iter__(value)], "e": fields}
        if isinstance(value, dict):
            return {"k": "map", **like, "m": [[self.refer(key), self.refer(each)] for key, each in dict.items(value)], "e": fields}
        if isinstance(value, (set, frozenset)):
            members = sorted(value, key=lambda each: (str(type(each)), each if isinstance(each, (int, str, float)) else 0))
            fixed = {"fixed": True} if isinstance(value, frozenset) else {}
            return {"k": "set", **like, **fixed, "a": [self.refer(each) for each in members], "e": fields}
        if has_fields(value):
            return {"k": "object", **like, "e": fields}
        return {"k": "opaque", "c": kind.__name__}

    def class_node(self, value):
        name = f"{value.__module__}:{value.__qualname__}"
        if not is_own(getattr(sys.modules.get(value.__module__), "__file__", None) or "<built-in>"):
            return {"k": "known", "c": name}
        fields = [
            [key, self.refer(each)]
            for key, each in vars(value).items()
            if not key.startswith("__") and isinstance(each, (int, str, float, list, dict, set, tuple, type(None)))
        ]
        return {"k": "code", "c": "class", "x": name, "fixed": True, "e": fields}


def _pickled_types():
    import datetime
    import decimal
    import fractions
    import pathlib
    import uuid

    names = [complex, range, slice, decimal.Decimal, fractions.Fraction, uuid.UUID, pathlib.PosixPath, pathlib.PurePosixPath]
    return {*names, datetime.date, datetime.time, datetime.datetime, datetime.timedelta, datetime.timezone}


_pickled = _pickled_types()


def has_fields(value):
    return _dict_of(value) is not None or any(True for _ in _slots_of(value))


def _dict_of(value):
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None
    return found if type(found) is dict else None


def _slots_of(value):
    """Member descriptors of C types are left alone, except for the arguments of an exception."""
    for kind in type(value).__mro__:
        for name, slot in vars(kind).items():
            if type(slot) is types.MemberDescriptorType and kind.__module__ != "builtins":
                yield name, slot


def fields_of(value):
    for name, each in (_dict_of(value) or {}).items():
        if isinstance(name, str):
            yield name, each
    for name, slot in _slots_of(value):
        try:
            yield name, slot.__get__(value)
        except AttributeError:
            continue
    if isinstance(value, BaseException):
        yield "args", value.args


class Transplant:
    """Puts values of another run into this one. Everything is looked up before anything is changed."""

    def __init__(self, request, frames):
        self.request, self.frames = request, frames
        self.roots = {(root["frame"], root["scope"], root["name"]): value for root, value in roots_of(frames)}

    def apply(self):
        request = self.request
        self.old = [known(path["known"]) if "known" in path else self.find(path) for path in request["live"]]
        self.made, self.making = {}, set()
        for number in range(len(request["fresh"])):
            self.fresh(number)
        work = []
        for change in request["changes"]:
            root, steps = change["at"]["root"], change["at"]["steps"]
            if change["do"] not in ("set", "delete"):
                work.append((change, self.find(change["at"]), None))
            elif steps:
                work.append((change, self.find({"root": root, "steps": steps[:-1]}), steps[-1]))
            else:
                work.append((change, None, None))
        for change, value, step in work:
            self.change(change, value, step)

    def find(self, path):
        root = path["root"]
        value = self.roots[(root["frame"], root["scope"], root["name"])]
        for step in path["steps"]:
            value = stepped(value, step)
        return value

    def value(self, value):
        if not isinstance(value, list):
            return value
        kind, what = value
        if kind == "l":
            return self.old[what]
        return self.fresh(what) if kind == "n" else special(what)

    def fresh(self, number):
        """An object that this run does not have. What cannot be changed later needs its parts first."""
        if number in self.made:
            return self.made[number]
        if number in self.making:
            raise ValueError("a value that cannot be changed holds itself")
        node = self.request["fresh"][number]
        kind = self.value(node["p"]) if node.get("p") is not None else None
        if node["k"] == "value":
            self.made[number] = pickle.loads(base64.b64decode(node["x"]))
        elif node["k"] == "bytes":
            data = base64.b64decode(node["x"])
            self.made[number] = bytearray(data) if node["c"] == "bytearray" else data
        elif node.get("fixed"):
            self.making.add(number)
            parts = [self.value(each) for each in node["a"]]
            base = tuple if node["k"] == "list" else frozenset
            self.made[number] = base.__new__(kind or base, parts)
        else:
            made = self.made[number] = kind.__new__(kind)
            for each in node.get("a", []):
                made.append(self.value(each)) if node["k"] == "list" else made.add(self.value(each))
            for key, each in node.get("m", []):
                dict.__setitem__(made, self.value(key), self.value(each))
            for name, each in node.get("e", []):
                put(made, name, self.value(each))
        return self.made[number]

    def change(self, change, value, step):
        what = change["do"]
        if what == "set" and step is None:
            self.assign(change["at"]["root"], self.value(change["value"]))
        elif what == "set":
            put_step(value, step, self.value(change["value"]))
        elif what == "delete" and isinstance(step, list):
            dict.__delitem__(value, nth(value, step[1]))
        elif what == "delete":
            del (_dict_of(value) or {})[step]
        elif what == "insert":
            dict.__setitem__(value, self.value(change["key"]), self.value(change["value"]))
        elif what == "list":
            while len(value) > change["from"]:
                value.pop()
            value.extend(self.value(each) for each in change["values"])
        elif what == "members":
            value.clear()
            value.update(self.value(each) for each in change["values"])
        elif what == "entries":
            dict.clear(value)
            for key, each in change["entries"]:
                dict.__setitem__(value, self.value(key), self.value(each))
        elif what == "content":
            value[:] = base64.b64decode(change["x"])
        else:
            raise ValueError(f"the change {what} is not known")

    def assign(self, root, value):
        frame = self.frames[root["frame"]]
        variables = frame.f_globals if root["scope"] == 1 else frame.f_locals
        variables[root["name"]] = value
        # Until Python 3.13, f_locals of a function is a copy: it has to be written back before it is asked for again.
        if sys.version_info < (3, 13) and variables is not frame.f_globals:
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))


def nth(values, number):
    for i, value in enumerate(values):
        if i == number:
            return value
    raise LookupError(f"there is no element {number}")


def stepped(value, step):
    if isinstance(step, list):
        kind, number = step
        if kind == "s":
            members = sorted(value, key=lambda each: (str(type(each)), each if isinstance(each, (int, str, float)) else 0))
            return nth(members, number)
        key = nth(dict.keys(value), number)
        return key if kind == "k" else dict.__getitem__(value, key)
    if step == "[[Prototype]]":
        return type(value)
    if isinstance(value, (list, tuple, collections.deque)) and step.isdigit():
        return value[int(step)]
    if isinstance(value, type):
        return vars(value)[step]
    return dict(fields_of(value))[step]


def put_step(value, step, new):
    if isinstance(step, list):
        dict.__setitem__(value, nth(dict.keys(value), step[1]), new)
    elif isinstance(value, (list, collections.deque)) and step.isdigit():
        value[int(step)] = new
    else:
        put(value, step, new)


def put(value, name, new):
    if isinstance(value, type):
        type.__setattr__(value, name, new)
    elif name in (_dict_of(value) or {}) or not any(name == each for each, _ in _slots_of(value)) and _dict_of(value) is not None:
        _dict_of(value)[name] = new
    else:
        object.__setattr__(value, name, new)


def known(name):
    if name.startswith("module "):
        return sys.modules[name[7:]]
    module, _, path = name.partition(":")
    value = sys.modules[module]
    for part in path.split("."):
        value = getattr(value, part)
    return value


def special(text):
    try:
        return int(text)
    except ValueError:
        return float(text)
