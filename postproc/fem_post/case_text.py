"""The case as read: JSON with // and /* */ comments."""

import json
import re

LINE_END = re.compile(r"[\r\n]|$")  # of a comment, as libfem reads it


def without_comments(text):
    """`text` with comments blanked out; strings are left alone, line numbers stay."""
    kept = []
    i, n = 0, len(text)
    while i < n:
        if text[i] == '"':
            end = i + 1
            while end < n and text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            kept.append(text[i:end + 1])
            i = end + 1
        elif text.startswith("//", i):
            i = LINE_END.search(text, i).start()
        elif text.startswith("/*", i):
            end = text.find("*/", i + 2)
            end = n if end < 0 else end + 2
            kept.append("\n" * text.count("\n", i, end))
            i = end
        else:
            kept.append(text[i])
            i += 1
    return "".join(kept)


def parse_case(text):
    """The case as a dict; {} if it is no JSON object (the results are still worth reading)."""
    try:
        case = json.loads(without_comments(text.removeprefix("\ufeff")))
    except ValueError:
        return {}
    return case if isinstance(case, dict) else {}


def part(case, *keys, default=None):
    """`case[keys[0]][keys[1]]…`, or `default` where a key is missing or its parent is no object."""
    for key in keys:
        if not isinstance(case, dict) or key not in case:
            return default
        case = case[key]
    return case
