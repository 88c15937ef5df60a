"""A pytest plugin: collects the files of the plan, runs its tests in its order, and writes down how each of them ended."""

import json
import os
import sys
import threading

import pytest

with open(os.environ["CULPRIT_TESTS"], encoding="utf-8") as _file:
    PLAN = json.load(_file)

ARRANGEMENT = PLAN.get("arrangement")
TARGET = PLAN.get("target") or {}
SKIPPED = {"node_modules", ".git", ".culprit", "__pycache__", ".pytest_cache", "culprit-plan"}
HERE = os.getcwd()
_before = None


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
        _watch(_file_of(item.path), _name_of(item))


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
    found = {}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in files:
            path = os.path.join(folder, name)
            try:
                stats = os.lstat(path)
            except OSError:
                continue
            found[os.path.relpath(path, root)] = (stats.st_size, stats.st_mtime_ns)
            if len(found) >= 20000:
                return found
    return found


def _modules():
    """The simple values, lists, sets and dictionaries of modules that belong to the project."""
    found = {}
    roots = tuple(root for root in (HERE, PLAN.get("home")) if root)
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if not path or not path.startswith(roots) or "site-packages" in path:
            continue
        found[name] = "loaded"
        for key, value in list(vars(module).items()):
            if key.startswith("__") or key.startswith("@"):
                continue
            if value is None or isinstance(value, (bool, int, float, str, bytes, list, tuple, set, dict)):
                found[f"{name}.{key}"] = repr(value)[:2000]
            else:
                found[f"{name}.{key}"] = id(value)
    return found


def _snapshot():
    import builtins

    ignored = {"PYTEST_CURRENT_TEST"}
    return {
        "environment variable": {name: value for name, value in os.environ.items() if name not in ignored},
        "global": {f"builtins.{name}": id(value) for name, value in vars(builtins).items() if name != "_"},
        "module state": _modules(),
        "file": _files_in(HERE),
        "temporary file": _files_in(os.environ["TMPDIR"]) if os.environ.get("TMPDIR") else {},
        "working directory": {"cwd": os.getcwd()},
        "import path": {"sys.path": list(sys.path)},
        "threads": {"running": threading.active_count()},
    }


def _watch(file, name):
    global _before
    if file == TARGET.get("file") and name == TARGET.get("name"):
        if _before is not None:
            _write({"left": _difference(_before, _snapshot())})
        _before = None
    elif _before is None:
        _before = _snapshot()


def _difference(old, now):
    traces = []
    for kind in now:
        for name in sorted(set(old[kind]) | set(now[kind])):
            was, present = old[kind].get(name), now[kind].get(name)
            # A module that is loaded for the first time has changed nothing.
            is_new = kind == "module state" and name not in old[kind] and name.rpartition(".")[0] not in old[kind]
            if was == present or is_new:
                continue
            change = "added" if name not in old[kind] else "removed" if name not in now[kind] else "changed"
            traces.append({"kind": kind, "name": name, "change": change})
    return traces
