"""Running `fem` from tests: the program's path comes in FEM_DRIVER, cases are edited as values."""

import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ROOT / "cases"
FEM = os.environ["FEM_DRIVER"]
SANITIZED = "FEM_SANITIZED" in os.environ  # built so that limits of memory cannot be set


def patience(seconds):
    """The time after which a program counts as hanging: a sanitized one is 20 times as slow."""
    return 20 * seconds if SANITIZED else seconds


def load_case(name):
    """A case of the repository as a value, without its comments."""
    text = (CASES / name).read_text(encoding="utf-8")
    return json.loads(re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', r"\1", text, flags=re.DOTALL))


def write_case(folder, case, name="case.json"):
    path = pathlib.Path(folder) / name
    path.write_text(case if isinstance(case, str) else json.dumps(case), encoding="utf-8")
    return path


def fem(*arguments, cwd=None, timeout=600):
    """Runs fem to its end, within patience(timeout); returncode, stdout and stderr as text."""
    return subprocess.run(
        [FEM, *map(str, arguments)], cwd=cwd, timeout=patience(timeout), text=True, capture_output=True
    )
