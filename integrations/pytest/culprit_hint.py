"""A pytest plugin that says, for tests that failed, how to find out whether other tests are the reason.

Use it with: pytest -p culprit_hint, with this folder on PYTHONPATH. With CULPRIT=1 it finds out, for the first test that failed,
within CULPRIT_MAX_TIME seconds (default: 120), and shows the answer with the path of its report.
"""

import json
import os
import shlex
import subprocess
import sys

MOST = 3


def pytest_terminal_summary(terminalreporter, config):
    own = _own_words(config.invocation_params.args)
    failed = terminalreporter.stats.get("failed", [])
    ran = sum(len(terminalreporter.stats.get(kind, [])) for kind in ("passed", "failed"))
    # One test that ran alone depends on no other.
    if not failed or ran < 2:
        return
    terminalreporter.write_line("")
    if os.environ.get("CULPRIT") == "1":
        _find_out(" › ".join(failed[0].nodeid.split("::")), own, terminalreporter.write_line)
        return
    terminalreporter.write_line("Do other tests make it fail? To find out:")
    for report in failed[:MOST]:
        name = " › ".join(report.nodeid.split("::"))
        terminalreporter.write_line(f"  npx culprit tests --test {shlex.quote(name)} -- {shlex.join(['pytest', *own])}")
    if len(failed) > MOST:
        terminalreporter.write_line(f"  ({len(failed) - MOST} more failed)")


def _own_words(args):
    """The words of this run, without the ones that load this plugin."""
    words = [str(word) for word in args]
    for at, word in enumerate(words):
        if word == "-p" and words[at + 1 : at + 2] == ["culprit_hint"]:
            return words[:at] + words[at + 2 :]
    return [word for word in words if word != "-pculprit_hint"]


def _find_out(name, own, write):
    """Runs culprit on one test."""
    seconds = os.environ.get("CULPRIT_MAX_TIME", "120")
    cli = os.environ.get("CULPRIT_CLI") or os.path.join(os.path.dirname(__file__), "..", "..", "dist", "cli", "main.js")
    words = ["node", cli, "tests", "--json", "--quiet", "--max-time", seconds, "--test", name, "--", sys.executable, "-m", "pytest", *own]
    write(f"culprit: do other tests make {name} fail? (at most {seconds} s)")
    # The tests that culprit runs must not start culprit.
    env = {**os.environ, "CULPRIT": "0"}
    try:
        ended = subprocess.run(words, env=env, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError as error:
        write(f"culprit could not be started: {error}")
        return
    try:
        result = json.loads(ended.stdout)
    except ValueError:
        result = {}
    for line in result.get("answer", ended.stderr.rstrip()).split("\n"):
        write(line)
    if "run" in result:
        write(f"report: {result['run']}/report.html")
