"""Imported by Python before the program starts: hands over to the agent, then to the sitecustomize that would have been found."""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
_folder = os.environ.get("CULPRIT_STATES")
sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != _here]

_own = sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # noqa: F401
except ImportError:
    # Python expects to find what it imported.
    sys.modules["sitecustomize"] = _own

if _folder:
    sys.path.insert(0, _here)
    try:
        import culprit_states

        culprit_states.start(_folder)
    finally:
        sys.path.remove(_here)
