"""A pytest plugin: collects the files of the plan, runs its tests in its order, and writes down how each of them ended."""

import json
import os
import sys
import threading
import zlib

import pytest

with open(os.environ["CULPRIT_TESTS"], encoding="utf-8") as _file:
    PLAN = json.load(_file)

ARRANGEMENT = PLAN.get("arrangement")
SKIPPED = {"node_modules", ".git", ".culprit", "__pycache__", ".pytest_cache", "culprit-plan"}
HERE = os.getcwd()
# Looking at files costs time: so many may be looked at between tests, and so many more between test files.
MOST_BETWEEN_TESTS = 200_000
MOST_BETWEEN_FILES = 1_000_000
# What is in memory ends with the process: a change does not reach tests of another one.
SESSION = str(os.getpid())
_looked = 0
_last = None
_owner = None


def _write(line):
    if PLAN.get("results"):
        with open(PLAN["results"], "a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")


def _file_of(path):
    for root in (HERE, PLAN.get("home")):
        inside = os.path.relpath(path, root) if root else ".."
        if not inside.startswith(".."):
            return inside.replace(os.sep, "/")
    return str(path)


def _name_of(item):
    # The part of the node id after the file: classes and the function, with parameters.
    return " › ".join(item.nodeid.split("::")[1:])


def pytest_ignore_collect(collection_path):
    if ARRANGEMENT is None or collection_path.is_dir() or collection_path.name == "conftest.py":
        return None
    return True if _file_of(collection_path) not in [part["file"] for part in ARRANGEMENT] else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    if ARRANGEMENT is None:
        return
    places = {}
    for part in ARRANGEMENT:
        for name in part["tests"]:
            places[(part["file"], name)] = len(places)
    place = lambda item: places.get((_file_of(item.path), _name_of(item)))
    kept = sorted((item for item in items if place(item) is not None), key=place)
    left = [item for item in items if place(item) is None]
    if left:
        config.hook.pytest_deselected(items=left)
    items[:] = kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if PLAN.get("watch"):
        _look({"file": _file_of(item.path), "name": _name_of(item)})


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish():
    if PLAN.get("watch") and _owner:
        _look(None)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    named = {"file": _file_of(item.path), "name": _name_of(item)}
    if report.failed and not getattr(item, "_culprit_failed", False):
        item._culprit_failed = True
        error = call.excinfo
        message = f"{error.typename}: {error.value}" if error else "failed"
        _write({**named, "state": "failed", "message": message[:2000]})
    elif report.when == "teardown" and not getattr(item, "_culprit_failed", False) and getattr(item, "_culprit_ran", False):
        _write({**named, "state": "passed"})
    elif report.when == "call" and report.passed:
        item._culprit_ran = True


def _files_in(root):
    global _looked
    found = {}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in files:
            path = os.path.join(folder, name)
            try:
                stats = os.lstat(path)
            except OSError:
                continue
            _looked += 1
            found[os.path.relpath(path, root)] = f"{stats.st_size} {stats.st_mtime_ns}"
            if len(found) >= 20000:
                return found
    return found


def _word(value):
    """A value in a word that changes if the value does: objects by identity and by what is in them."""
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return f"{type(value).__name__} {str(value)[:200]}"
    return f"{id(value)} {_content(value, 3, [100])}"


def _content(value, depth, left):
    """What is in a value, as far as it can be read without running any of its code."""
    kind = type(value)
    if value is None or kind in (bool, int, float, complex, str, bytes):
        return str(value)[:200]
    left[0] -= 1
    if depth == 0 or left[0] <= 0 or issubclass(kind, type(sys)):
        return kind.__name__
    try:
        if issubclass(kind, dict):
            pairs = [(str(key)[:100] if type(key) in (str, int) else kind.__name__, each) for key, each in list(dict.items(value))[:100]]
            return f"{dict.__len__(value)} {[(key, _content(each, depth - 1, left)) for key, each in pairs]}"
        if kind in (list, tuple):
            return f"{len(value)} {[_content(each, depth - 1, left) for each in value[:100]]}"
        if kind in (set, frozenset):
            return f"{len(value)} {sorted(_content(each, 1, left) for each in list(value)[:100])}"
        # Classes keep state in attributes, and so do their objects.
        own = (type if issubclass(kind, type) else object).__getattribute__(value, "__dict__")
        pairs = [(key, each) for key, each in list(own.items())[:100] if not key.startswith("__")]
        return f"{kind.__name__} {[(key, _content(each, depth - 1, left)) for key, each in pairs]}"
    except Exception:
        return kind.__name__


def _modules():
    """The values in modules that belong to the project."""
    found = {}
    roots = tuple(root for root in (HERE, PLAN.get("home")) if root)
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if not path or not path.startswith(roots) or "site-packages" in path:
            continue
        found[name] = "loaded"
        for key, value in list(vars(module).items()):
            if not key.startswith("__") and not key.startswith("@"):
                found[f"{name}.{key}"] = _word(value)
    return found


def _patched():
    """Functions and values of Python's own modules that tests like to replace."""
    found = {}
    for name in ("os", "os.path", "sys", "time", "random", "socket", "subprocess", "tempfile", "logging", "warnings", "json", "locale"):
        module = sys.modules.get(name)
        for key, value in list(vars(module).items()) if module else []:
            if not key.startswith("_") and (callable(value) or type(value) in (bool, int, float, str)):
                found[f"{name}.{key}"] = str(id(value)) if callable(value) else str(value)
    for key in ("last_exc", "last_type", "last_value", "last_traceback"):
        found.pop(f"sys.{key}", None)
    return found


def _in_memory():
    import builtins
    import logging

    root = logging.getLogger()
    return {
        "environment variable": {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"},
        "global": {f"builtins.{name}": str(id(value)) for name, value in vars(builtins).items() if name != "_"} | _patched(),
        "module state": _modules(),
        "working directory": {"cwd": os.getcwd()},
        "import path": {"sys.path": str(sys.path)},
        "threads": {"running": str(threading.active_count())},
        "logging": {"root": f"{root.level} {[id(each) for each in root.handlers]}"},
    }


def _all_files():
    return {
        "file": _files_in(HERE),
        "temporary file": _files_in(os.environ["TMPDIR"]) if os.environ.get("TMPDIR") else {},
    }


def _look(test):
    """Writes down what the test that ran since the last look has changed."""
    global _last, _owner
    is_between_files = test is None or (_owner or test)["file"] != test["file"]
    if _last is None or _looked <= (MOST_BETWEEN_FILES if is_between_files else MOST_BETWEEN_TESTS):
        files = _all_files()
    else:
        files = {kind: _last[kind] for kind in ("file", "temporary file")}
    now = {**_in_memory(), **files}
    if _last is not None:
        changes = _difference(_last, now)
        if changes:
            _write({"by": _owner, "session": SESSION, "changes": changes})
    _last, _owner = now, test


def _difference(old, now):
    """Each change as its kind, its name, and the value before and after: a missing value is None."""
    changes = []
    for kind in now:
        for name in sorted(set(old[kind]) | set(now[kind])):
            was, present = old[kind].get(name), now[kind].get(name)
            # A module that is loaded for the first time has changed nothing.
            is_new = kind == "module state" and name not in old[kind] and name.rpartition(".")[0] not in old[kind]
            if was != present and not is_new:
                changes.append([kind, name, _digest(was), _digest(present)])
    return changes


def _digest(value):
    """Values are only compared: what is in them is nobody's business."""
    return None if value is None else f"{zlib.crc32(value.encode('utf-8', 'replace'))}.{len(value)}"
