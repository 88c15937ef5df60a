"""Watches a C or C++ program from inside gdb: which lines run, what is in memory at a place, and what if that were different.

Run by `gdb -batch -x agent.py --args program ...`. The graph that is written is described in circumstances/states/graph.ts.
A pointer is followed to one object of its type; a char pointer is a string. An object is known by its address and its type.
"""

import array
import base64
import json
import os
import re
import signal
import struct

import gdb

FOLDER = os.environ["CULPRIT_STATES"]
MOST_VALUES = 100_000
MOST_FRAMES = 40
MOST_ELEMENTS = 10_000
LONGEST = 100_000
# A line that is reached more often is too hot to be watched.
MOST_HITS = 300
MOST_STEPS = 20_000

with open(os.path.join(FOLDER, "request.json"), encoding="utf-8") as file:
    request = json.load(file)


def write(name, value):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        json.dump(value, file)


def quietly(command):
    return gdb.execute(command, to_string=True)


def source_lines():
    """The lines of the program's own sources that have code, with their addresses. Headers of the system are left out."""
    quietly("break main")
    listed = quietly("info sources")
    paths = {part.strip() for line in listed.splitlines() for part in line.split(",") if part.strip().startswith("/")}
    for path in sorted(paths):
        if path.startswith("/usr/") or not os.path.isfile(path):
            continue
        try:
            _, found = gdb.decode_line(f'"{path}":1')
            table = found[0].symtab.linetable() if found and found[0].symtab else None
        except gdb.error:
            continue
        for line in sorted(table.source_lines() or []) if table else []:
            if line > 0:
                yield os.path.realpath(path), line


class Watching(gdb.Breakpoint):
    """A breakpoint that calls `reached` each time, and stops if that says so."""

    def __init__(self, path, line, reached):
        super().__init__(f'"{path}":{line}', internal=True)
        self.silent = True
        self.reached = reached

    def stop(self):
        return self.reached(self)


def depth():
    frame, count = gdb.newest_frame(), 0
    while frame is not None and count < 200:
        frame, count = frame.older(), count + 1
    return count


def look():
    counts = {}

    def watch(path, line):
        def reached(breakpoint):
            key = (path, line)
            count, name = counts.get(key, (0, None))
            counts[key] = (count + 1, name or gdb.newest_frame().name() or "")
            if count + 1 >= MOST_HITS:
                breakpoint.enabled = False
            return False

        Watching(path, line, reached)

    lines = list(source_lines())
    delete_main()
    for path, line in lines:
        watch(path, line)
    end = run()
    files = {}
    for (path, line), (count, name) in counts.items():
        files.setdefault(path, []).append([line, 1, count if count < MOST_HITS else 10**6, name])
    write("look-0.json", [{"path": path, "longest": longest(path), "statements": sorted(found)} for path, found in sorted(files.items())])
    return end


def longest(path):
    with open(path, encoding="latin-1") as file:
        return max(map(len, file), default=0)


def delete_main():
    for breakpoint in gdb.breakpoints() or ():
        breakpoint.delete()


def trace():
    steps = array.array("i")
    for number, location in enumerate(request["locations"]):

        def reached(breakpoint, number=number):
            if len(steps) < 2 * MOST_STEPS:
                steps.extend((number, depth()))
            return False

        Watching(location["path"], location["line"], reached)
    end = run()
    with open(os.path.join(FOLDER, "trace.bin"), "wb") as file:
        steps.tofile(file)
    return end


def stopping(at_place):
    """Runs to each of the places in turn."""
    places = {(place["location"], place["hit"]): i for i, place in enumerate(request["places"])}
    hits = {}
    here = []
    for number in sorted({location for location, _ in places}):

        def reached(breakpoint, number=number):
            hit = hits.get(number, 0)
            hits[number] = hit + 1
            place = places.pop((number, hit), None)
            if place is None:
                return False
            here.append(place)
            return True

        location = request["locations"][number]
        Watching(location["path"], location["line"], reached)
    end = run()
    while end is None:
        if not here:
            gdb.execute("kill")
            raise RuntimeError("the program stopped at another place")
        for place in here:
            try:
                at_place(place)
            except Exception as error:  # The program must go on as if nobody had looked.
                write("trouble.json", f"{type(error).__name__}: {error}")
        here.clear()
        if not places:
            delete_main()
        end = run("continue")
    return end


def run(command="run"):
    """How the program ended, or nothing if it has stopped at a place."""
    quietly(command)
    if gdb.selected_inferior().pid != 0:
        return None
    killed = gdb.convenience_variable("_exitsignal")
    if killed is not None:
        return ("signal", int(killed))
    code = gdb.convenience_variable("_exitcode")
    return ("exit", int(code) if code is not None else 1)


def frames_of():
    found, frame, number = [], gdb.newest_frame(), 0
    while frame is not None and len(found) < MOST_FRAMES:
        place = frame.find_sal()
        if place.symtab is not None and os.path.isfile(place.symtab.fullname()) and not place.symtab.fullname().startswith("/usr/"):
            found.append((number, frame, place))
        frame, number = frame.older(), number + 1
    return found


def roots_of(frames):
    roots, seen = [], set()
    for number, frame, place in frames:
        try:
            block = frame.block()
        except RuntimeError:
            continue
        scope = 0
        while block is not None:
            is_function = block.function is not None
            for symbol in block:
                # What is declared further down has no value yet.
                if not (symbol.is_argument or symbol.is_variable) or symbol.line > place.line:
                    continue
                roots.append(({"frame": number, "scope": scope, "name": symbol.name}, frame.read_var(symbol, block)))
            if is_function:
                break
            block, scope = block.superblock, scope + 1
        for outer in (frame.block().static_block, frame.block().global_block):
            if (outer.start, outer.end) in seen:
                continue
            for symbol in outer:
                if symbol.is_variable and symbol.symtab and not symbol.symtab.fullname().startswith("/usr/"):
                    roots.append(({"frame": number, "scope": 100, "name": symbol.name, "outer": True}, symbol.value()))
        seen.update((outer.start, outer.end) for outer in (frame.block().static_block, frame.block().global_block))
    return roots


def plain(kind):
    kind = kind.strip_typedefs().unqualified()
    return kind.target().strip_typedefs().unqualified() if kind.code == gdb.TYPE_CODE_REF else kind


def is_char(kind):
    return plain(kind).sizeof == 1 and plain(kind).code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR)


class Graph:
    def __init__(self):
        self.ids, self.objects, self.left = {}, [], MOST_VALUES

    def refer(self, value):
        """A scalar, or a reference to what a pointer points to or to what is held inline."""
        self.left -= 1
        try:
            return self.scalar(value)
        except (gdb.MemoryError, gdb.error):
            return ["o", "not readable"]

    def scalar(self, value):
        kind = plain(value.type)
        if kind.code == gdb.TYPE_CODE_FLT:
            return ["u", repr(float(value))]
        if kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM):
            number = int(value)
            return number if abs(number) < 2**53 else ["u", str(number)]
        if kind.code == gdb.TYPE_CODE_PTR:
            if int(value) == 0:
                return None
            target = plain(kind.target())
            if target.code == gdb.TYPE_CODE_FUNC or target.code == gdb.TYPE_CODE_VOID:
                return ["o", str(value.type)]
            if is_char(target):
                return self.number(int(value), "char *", value)
            value.dereference().fetch_lazy()
            return self.number(int(value), str(target), value.dereference())
        if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_ARRAY):
            return self.number(int(value.address), str(kind), value)
        return ["o", str(value.type)]

    def number(self, address, kind, value):
        if self.left <= 0:
            return ["o", "beyond the limit"]
        found = self.ids.get((address, kind))
        if found is None:
            found = self.ids[(address, kind)] = len(self.objects)
            self.objects.append((kind, value))
        return ["r", found]

    def node(self, name, value):
        try:
            return self.node_of(name, value)
        except (gdb.MemoryError, gdb.error):
            return {"k": "opaque", "c": name}

    def node_of(self, name, value):
        kind = plain(value.type)
        if name == "char *":
            text = bytes(until_end(int(value)))
            return {"k": "bytes", "c": name, "x": encoded(text), "t": shown(text)}
        if kind.code == gdb.TYPE_CODE_ARRAY:
            if is_char(kind.target()):
                data = bytes(gdb.selected_inferior().read_memory(int(value.address), min(kind.sizeof, LONGEST)))
                # What comes after the end of a string does not matter.
                text = data.split(b"\0")[0]
                return {"k": "bytes", "c": name, "x": encoded(text.ljust(len(data), b"\0")), "t": shown(text)}
            low, high = kind.range()
            return {"k": "list", "c": name, "a": [self.refer(value[i]) for i in range(low, min(high + 1, MOST_ELEMENTS))]}
        if kind.code == gdb.TYPE_CODE_STRUCT:
            fields = [field for field in kind.fields() if field.name and not field.bitsize and hasattr(field, "bitpos")]
            return {"k": "object", "c": name, "e": [[field.name, self.refer(value[field])] for field in fields]}
        return {"k": "object", "c": name, "e": [["*", self.refer(value)]]}


def until_end(address):
    memory = gdb.selected_inferior()
    text = bytearray()
    while len(text) < LONGEST:
        # To the end of the page: the next one may not be there.
        size = 4096 - (address + len(text)) % 4096
        part = bytes(memory.read_memory(address + len(text), size))
        end = part.find(b"\0")
        text += part if end < 0 else part[:end]
        if end >= 0:
            break
    return text


def encoded(data):
    return base64.b64encode(data).decode()


def shown(text):
    return json.dumps(text.decode("utf-8", "replace"), ensure_ascii=False)


def capture(place):
    frames = frames_of()
    graph = Graph()
    roots = [{**root, "value": graph.refer(value)} for root, value in roots_of(frames)]
    nodes = []
    while len(nodes) < len(graph.objects):
        nodes.append(graph.node(*graph.objects[len(nodes)]))
    listed = [
        {"frame": number, "function": frame.name() or "", "path": os.path.realpath(where.symtab.fullname()), "line": where.line}
        for number, frame, where in frames
    ]
    write(f"state-{place}.json", {"frames": listed, "roots": roots, "nodes": nodes})


class Transplant:
    """Puts values of another run into this one. Everything is looked up before anything is changed."""

    def __init__(self):
        self.roots = {(root["frame"], root["scope"], root["name"]): value for root, value in roots_of(frames_of())}

    def apply(self):
        self.old = [address_of(self.find(path)) for path in request["live"]]
        self.made = [allocate(node) for node in request["fresh"]]
        for address, node in zip(self.made, request["fresh"]):
            self.fill(address, node)
        work = [(change, self.find(change["at"])) for change in request["changes"]]
        for change, value in work:
            self.change(change, value)

    def find(self, path):
        root = path["root"]
        value = self.roots[(root["frame"], root["scope"], root["name"])]
        for step in path["steps"]:
            if plain(value.type).code == gdb.TYPE_CODE_PTR:
                value = value.dereference()
            if step != "*":
                value = value[int(step)] if step.isdigit() and plain(value.type).code == gdb.TYPE_CODE_ARRAY else member(value, step)
        return value

    def value(self, value):
        if not isinstance(value, list):
            return value
        kind, what = value
        if kind == "u":
            return float(what) if re.search(r"[.einf]", what) else int(what)
        return Address(self.old[what] if kind == "l" else self.made[what])

    def change(self, change, value):
        if change["do"] == "set":
            store(value, self.value(change["value"]))
        elif change["do"] == "content":
            data = base64.b64decode(change["x"])
            is_pointer = plain(value.type).code == gdb.TYPE_CODE_PTR
            gdb.selected_inferior().write_memory(address_of(value), data + b"\0" if is_pointer else data)
        elif change["do"] == "list":
            for i, each in enumerate(change["values"]):
                store(value[change["from"] + i], self.value(each))
        else:
            raise ValueError(f"{change['do']} is not possible in C")

    def fill(self, address, node):
        if node["k"] == "bytes":
            gdb.selected_inferior().write_memory(address, base64.b64decode(node["x"]) + b"\0")
            return
        target = gdb.Value(address).cast(gdb.lookup_type(node["c"]).pointer()).dereference()
        for name, each in node.get("e", []):
            store(target if name == "*" else member(target, name), self.value(each))
        if node.get("a"):
            raise ValueError("an array cannot be made")


def member(value, name):
    """A member, or the part of a C++ object that is of a base class: gdb finds that by its field only."""
    for field in plain(value.type).fields():
        if field.name == name:
            return value[field]
    return value[name]


class Address(int):
    """An address, as opposed to a number."""


def allocate(node):
    """Memory of the program's own allocator, so that the program may free it."""
    size = len(base64.b64decode(node["x"])) + 1 if node["k"] == "bytes" else gdb.lookup_type(node["c"]).sizeof
    return int(gdb.parse_and_eval(f"((void *(*)(unsigned long))malloc)({size})"))


def address_of(value):
    return int(value) if plain(value.type).code == gdb.TYPE_CODE_PTR else int(value.address)


def store(value, new):
    kind = plain(value.type)
    if kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_UNION):
        raise ValueError("what is held inline cannot be replaced")
    if value.address is None:
        raise ValueError("a variable in a register cannot be set")
    if kind.code == gdb.TYPE_CODE_FLT:
        data = struct.pack({4: "<f", 8: "<d"}[kind.sizeof], float(new))
    else:
        number = 0 if new is None else int(new)
        data = (number % (1 << (8 * kind.sizeof))).to_bytes(kind.sizeof, "little")
    gdb.selected_inferior().write_memory(int(value.address), data)


def apply(place):
    Transplant().apply()
    write("applied.json", True)


def main():
    for setting in ("confirm off", "pagination off", "startup-with-shell off", "print thread-events off", "print inferior-events off"):
        quietly(f"set {setting}")
    quietly("handle all nostop noprint pass")
    quietly("handle SIGTRAP stop noprint nopass")
    quietly("handle SIGINT stop noprint nopass")
    kinds = {"look": look, "trace": trace, "capture": lambda: stopping(capture), "apply": lambda: stopping(apply)}
    how, code = kinds[request["kind"]]()
    if how == "signal":
        signal.signal(code, signal.SIG_DFL)
        os.kill(os.getpid(), code)
        signal.pause()
    os._exit(code & 255)


try:
    main()
except Exception as error:
    write("trouble.json", f"{type(error).__name__}: {error}")
    os._exit(125)
