#!/usr/bin/python3
"""Every test that the documents name is there.

    check_test_names.py ROOT

Names stand in code: test_… (a test of Python or its file), Suite.Name or Suite. behind the name of a
file …_test.cpp, and in the table of faults of reliability.md also a suite or a name alone. Exit code 1
if one is not there.
"""

import pathlib
import re
import sys


def python_names(root):
    for path in [*root.glob("tests/**/*.py"), *root.glob("postproc/tests/*.py")]:
        yield path.stem
        yield from re.findall(r"^\s*def (test_\w+)", path.read_text(encoding="utf-8"), re.M)


def cpp_names(root):
    """(suite, name) of all tests in C++."""
    for path in root.glob("tests/**/*_test.cpp"):
        text = path.read_text(encoding="utf-8")
        yield from re.findall(r"^(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\)", text, re.M)


def wrong_names(text, is_faults, python, cpp):
    suites = {suite for suite, _ in cpp}
    names = {name for _, name in cpp}
    known = suites | names | {f"{suite}.{name}" for suite, name in cpp} | {f"{s}." for s in suites}
    for code in re.findall(r"`([^`\n]+)`", text):
        for name in re.findall(r"\btest_\w+", code):
            if name not in python:
                yield name
        for name in re.findall(r"_test\.cpp: ([A-Z]\w*\.\w*)", code):
            if name not in known:
                yield name
    if is_faults:
        for cell in re.findall(r"^\|.*\|([^|]*)\|$", text, re.M):
            for name in re.findall(r"\b[A-Z]\w+(?:\.\w+)?", " ".join(re.findall(r"`([^`]+)`", cell))):
                if name not in known:
                    yield name


def main(root):
    python = set(python_names(root))
    cpp = set(cpp_names(root))
    pages = [root / "README.md", *sorted(root.glob("docs/*.md"))]
    wrong = [f"{page.relative_to(root)}: {name}: there is no such test" for page in pages
             for name in wrong_names(page.read_text(encoding="utf-8"),
                                     page.name == "reliability.md", python, cpp)]
    print("\n".join(wrong) or f"{len(python)} names in Python, {len(cpp)} in C++")
    return 1 if wrong else 0


def self_test():
    python = {"test_a", "test_run"}
    cpp = {("Suite", "Does")}
    good = ("| x | `run: test_a`, `Suite.Does`, `recorder: Does`, `Suite` |\n"
            "`a_test.cpp: Suite.Does`, `a_test.cpp: Suite.`, `Other.Thing`, test_none")
    assert not list(wrong_names(good, True, python, cpp))
    for bad in ("`test_b`", "`a_test.cpp: Suite.Dont`", "`a_test.cpp: Suit.Does`",
                "| x | `Suite.Dont` |", "| x | `recorder: Dont` |"):
        assert list(wrong_names(bad, True, python, cpp)), bad
    return 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1] == "--self-test" else main(pathlib.Path(sys.argv[1])))
