#!/usr/bin/python3
"""Writes docs/python-reference.md: what the built module says of itself.

    python/write_reference.py [FOLDER OF THE MODULE] [-o FILE]

A member without a docstring is an error. By default build/release/python.
"""

import argparse
import inspect
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def documented(name, item):
    """(signature or name, text) of a member; pybind11 writes the signature first."""
    text = inspect.getdoc(item)
    if not text:
        raise SystemExit(f"{name} has no docstring")
    if isinstance(item, property):
        return name.split(".")[-1], text
    signature, _, rest = text.partition("\n\n")
    if not rest:
        raise SystemExit(f"{name} has no docstring")
    signature = re.sub(r"self: [\w.]+(, )?", "", signature).replace("libfem.", "")
    return signature, rest


def class_lines(cls):
    lines = [f"## {cls.__name__}", "", inspect.getdoc(cls), ""]
    if issubclass(cls, Exception):
        return lines
    lines += ["| | |", "|---|---|"]
    for name, item in vars(cls).items():
        # A class that only the library makes has the constructor of every object.
        made_by_users = name == "__init__" and inspect.getdoc(item) != inspect.getdoc(object.__init__)
        if name.startswith("_") and name != "__getitem__" and not made_by_users:
            continue
        signature, text = documented(f"{cls.__name__}.{name}", item)
        shown = signature.replace("__init__", cls.__name__).replace(" -> None", "")
        shown = re.sub(r"__getitem__\(path: str\) -> object", "[path] -> float or ndarray", shown)
        lines.append(f"| `{shown}` | {text} |")
    return lines + [""]


def page(module):
    classes = [item for item in vars(module).values() if inspect.isclass(item)]
    lines = ["# The Python module `libfem`", "", module.__doc__, "",
             "The guide is [api.md](api.md), a program to copy "
             "[two_rods.py](../examples/python/two_rods.py). This page is what the module says of "
             "itself: `python/write_reference.py`.", ""]
    for cls in sorted(classes, key=lambda cls: (issubclass(cls, Exception), cls.__name__ == "Law")):
        lines += class_lines(cls)
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        default=ROOT / "build/release/python")
    parser.add_argument("-o", "--output", type=pathlib.Path,
                        default=ROOT / "docs/python-reference.md")
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.folder))
    import libfem

    arguments.output.write_text(page(libfem), encoding="utf-8")


if __name__ == "__main__":
    main()
