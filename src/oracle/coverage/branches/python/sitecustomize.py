"""Imported by Python before the program starts: counts the steps from line to line, and the calls of functions."""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
_folder = os.environ.get("CULPRIT_BRANCHES")
sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != _here]

# The sitecustomize that would have been found without this one.
sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # noqa: F401
except ImportError:
    pass


def _start():
    import atexit
    import json
    import sysconfig
    import threading

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
            of_python = not os.path.isfile(real) or (
                real.startswith(library) and not any(part in real for part in packages)
            )
            files[path] = None if of_python else ({}, {}, {})
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

    def finish():
        sys.settrace(None)
        threading.settrace(None)
        seen = [
            {
                "file": os.path.realpath(path),
                "arcs": [[a, b, n, name] for (a, b, name), n in sorted(counts[0].items())],
                "functions": [[line, n, name] for (line, name), n in sorted(counts[1].items())],
                "lines": sorted(counts[2].items()),
            }
            for path, counts in sorted(files.items())
            if counts is not None
        ]
        with open(os.path.join(_folder, f"python-{os.getpid()}.json"), "w", encoding="utf-8") as file:
            json.dump(seen, file)

    atexit.register(finish)
    # A child that is forked off goes its own way.
    os.register_at_fork(after_in_child=lambda: (sys.settrace(None), atexit.unregister(finish)))
    threading.settrace(called)
    sys.settrace(called)


if _folder:
    _start()
