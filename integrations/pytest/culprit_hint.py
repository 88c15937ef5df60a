"""A pytest plugin that says, for tests that failed, how to find out whether other tests are the reason.

Use it with: pytest -p culprit_hint, with this folder on PYTHONPATH.
"""

import shlex

MOST = 3


def pytest_terminal_summary(terminalreporter):
    failed = terminalreporter.stats.get("failed", [])
    ran = sum(len(terminalreporter.stats.get(kind, [])) for kind in ("passed", "failed"))
    # One test that ran alone depends on no other.
    if not failed or ran < 2:
        return
    terminalreporter.write_line("")
    terminalreporter.write_line("Do other tests make it fail? To find out:")
    for report in failed[:MOST]:
        name = " › ".join(report.nodeid.split("::"))
        terminalreporter.write_line(f"  npx culprit tests --test {shlex.quote(name)} -- pytest")
    if len(failed) > MOST:
        terminalreporter.write_line(f"  ({len(failed) - MOST} more failed)")
