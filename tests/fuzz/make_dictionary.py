#!/usr/bin/env python3
"""The words of a case as a dictionary for libFuzzer, from the schema on standard input.

    fem schema | make_dictionary.py > case.dict
"""

import json
import sys


def words(schema):
    """Keys with their colon, and texts that a value may be."""
    if isinstance(schema, list):
        for item in schema:
            yield from words(item)
    if not isinstance(schema, dict):
        return
    for key, value in schema.items():
        if key == "properties":
            yield from (f'"{name}":' for name in value)
        if key in ("enum", "const"):
            yield from map(json.dumps, value if isinstance(value, list) else [value])
        yield from words(value)


def main():
    extra = ['"points":[[0,0],[1,2]]', "[0,0]", "//", "/*", "*/", "null", "true", "1e308", "1e-308",
             "1e999", "-0", "\\u0000", "\\ud800", "\xe9", "{}", "[]", ",", ":"]
    for word in sorted(set(words(json.load(sys.stdin)))) + extra:
        escaped = word.replace("\\", "\\\\").replace('"', '\\"')
        print('"' + "".join(c if ord(c) < 128 else f"\\x{ord(c):02x}" for c in escaped) + '"')


if __name__ == "__main__":
    main()
