"""Imported by Python before the program starts: counts the steps from line to line, and the calls of functions."""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
_folder = os.environ.get("CULPRIT_COVERAGE")
# Installed packages do not count, and statements are reported.
_own_only = os.environ.get("CULPRIT_LINES") == "own"
sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != _here]

# The sitecustomize that would have been found without this one.
_own = sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # noqa: F401
except ImportError:
    # Python expects to find what it imported.
    sys.modules["sitecustomize"] = _own


def _start():
    import atexit
    import functools
    import json
    import sysconfig
    import threading
    import time

    library = tuple(
        os.path.join(os.path.realpath(path), "")
        for path in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), _here}
        if path
    )
    packages = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)
    files = {}

    def counts_of(path):
        if path not in files:
            real = os.path.realpath(path)
            is_package = any(part in real for part in packages)
            is_foreign = _own_only if is_package else real.startswith(library)
            files[path] = None if is_foreign or not os.path.isfile(real) else ({}, {}, {})
        return files[path]

    def called(frame, _event, _value):
        code = frame.f_code
        counts = counts_of(code.co_filename)
        if counts is None:
            return None
        arcs, functions, lines = counts
        name = getattr(code, "co_qualname", code.co_name)
        key = (code.co_firstlineno, name)
        functions[key] = functions.get(key, 0) + 1
        before = None
        unwinding = False

        def stepped(frame, event, _value):
            nonlocal before, unwinding
            if event == "line":
                line = frame.f_lineno
                lines[line] = lines.get(line, 0) + 1
                if before is not None:
                    arc = (before, line, name)
                    arcs[arc] = arcs.get(arc, 0) + 1
                before = line
            elif event == "return" and before is not None and not unwinding:
                # The end of a function is a way to go on, too. An exception that passes through is none.
                arc = (before, code.co_firstlineno, name)
                arcs[arc] = arcs.get(arc, 0) + 1
            unwinding = event == "exception"
            return stepped

        return stepped

    def seen():
        return [
            {
                "file": os.path.realpath(path),
                "arcs": [[a, b, n, name] for (a, b, name), n in sorted(counts[0].items())],
                "functions": [[line, n, name] for (line, name), n in sorted(counts[1].items())],
                "lines": sorted(counts[2].items()),
                "statements": _statements(path) if _own_only else [],
            }
            for path, counts in sorted(files.items())
            if counts is not None
        ]

    def report():
        name = f"python-{os.getpid()}-{started}.json"
        try:
            with open(os.path.join(_folder, name), "w", encoding="utf-8") as file:
                json.dump(seen(), file)
        except Exception:  # The program must end as it would without this.
            pass

    def finish():
        sys.settrace(None)
        threading.settrace(None)
        report()

    def reporting(leave):
        """`leave` ends the process without any more Python: it reports before that."""

        @functools.wraps(leave)
        def reported(*args, **named):
            tracing = sys.gettrace()
            sys.settrace(None)
            report()
            sys.settrace(tracing)
            return leave(*args, **named)

        return reported

    def forked():
        nonlocal started
        started = time.time_ns()
        for counts in files.values():
            for each in counts or ():
                each.clear()

    started = time.time_ns()
    atexit.register(finish)
    os.register_at_fork(after_in_child=forked)
    for name in ("_exit", "execv", "execve"):
        setattr(os, name, reporting(getattr(os, name)))
    threading.settrace(called)
    sys.settrace(called)


def _statements(path):
    """The lines that count as a whole: a statement without those inside it, the head of a function, a docstring."""
    import ast

    found = []

    def first(node):
        return min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])

    def is_text(node):
        value = getattr(node, "value", None)
        return isinstance(node, ast.Expr) and isinstance(value, ast.Constant) and isinstance(value.value, str)

    def parts_of(node):
        """The blocks inside a statement: where the head of each starts, if it has one that runs, and its statements."""
        yield None, getattr(node, "body", ())
        for handler in getattr(node, "handlers", ()):
            yield handler.lineno, handler.body
        for case in getattr(node, "cases", ()):
            yield case.pattern.lineno, case.body
        yield None, getattr(node, "orelse", ())
        yield None, getattr(node, "finalbody", ())

    def add(node, start):
        parts = [] if isinstance(node, ast.Expr) else [(at, body) for at, body in parts_of(node) if body]
        if not parts:
            found.append([start, node.end_lineno, "step"])
            return
        is_function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        at, body = parts[0]
        found.append([start, max(node.lineno, (at or first(body[0])) - 1), "def" if is_function else "step"])
        end = None
        for at, body in parts:
            if at is not None:
                found.append([at, max(at, first(body[0]) - 1), "step"])
            # `else:` and `finally:` do not run by themselves: they belong to the first statement after them.
            add_all(body, end + 1 if at is None and end is not None else None, is_function or isinstance(node, ast.ClassDef))
            end = body[-1].end_lineno

    def add_all(body, start, may_be_text):
        for i, node in enumerate(body):
            if i == 0 and may_be_text and is_text(node):
                found.append([node.lineno, node.end_lineno, "text"])
            else:
                add(node, start if i == 0 and start is not None else first(node))

    try:
        with open(path, "rb") as file:
            add_all(ast.parse(file.read()).body, None, True)
    except Exception:  # The program may have changed its own file, or anything else: then steps must do.
        return []
    return found


if _folder:
    _start()
