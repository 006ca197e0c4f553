"""Lists the places of error handling that no test has reached.

    unreached_errors.py GCOVR_JSON ROOT
    unreached_errors.py --self-test

GCOVR_JSON is what `gcovr --json` writes. A place of error handling is a line that throws, or makes
what is thrown or told: a problem with its remedy, an outcome that failed. Where its condition stands
in the same line, the condition must have come out both ways. Exit code 1 if there is any place;
scripts/test coverage calls it.
"""

import json
import pathlib
import re
import sys

ERROR = re.compile(r"\bthrow\b|\bcatch\b|Problem\{|Error\(|Error\{|\bfail\(|\brefuse\w*\(|"
                   r"\breport\(|\bwarn\w*\(|problems\.push_back")
CONDITION = re.compile(r"\bif\b|\?|&&|\|\|")


def count_ways(branches):
    """How often each way was taken, but for those of a call: that it returns, or throws."""
    follows = [b.get("throw") for b in branches[1:]] + [False]
    return [b["count"] for b, throws in zip(branches, follows) if not throws and not b.get("throw")]


def is_unreached(text, line):
    """Whether no test has reached the error that is handled in a line of source (as gcovr tells it).

    A condition whose error is behind it in the line leaves half of the branches or more untaken if it
    never came out that way: one of its own two, and all that are behind it (of strings that are
    taken apart, say). What only an exception takes does not count. What passes the line more often
    than any branch came to the error past its condition, from where it was known to hold.
    """
    if line.get("gcovr/noncode") or not ERROR.search(text):
        return False
    if line["count"] == 0:
        return True
    branches = count_ways(line.get("branches", []))
    if not branches or not CONDITION.search(text) or line["count"] > max(branches):
        return False
    return 2 * branches.count(0) >= len(branches)


def unreached(report, root):
    """(file, line number, text) of every line whose error no test has reached."""
    for entry in report["files"]:
        lines = (root / entry["file"]).read_text().splitlines()
        for line in entry["lines"]:
            text = lines[line["line_number"] - 1]
            if is_unreached(text, line):
                yield entry["file"], line["line_number"], text.strip()


def self_test():
    def line(count, *branches, throw=()):
        return {"count": count, "branches": [{"count": b, "throw": False} for b in branches] +
                                            [{"count": b, "throw": True} for b in throw]}

    assert is_unreached("throw Error(what);", line(0))
    assert not is_unreached("throw Error(what);", line(1, throw=[0, 0]))
    assert not is_unreached("x = 1;", line(0))
    one_line = "if (!good) throw Error(what);"
    assert is_unreached(one_line, line(5, 5, 0))
    assert is_unreached(one_line, line(5, 5, 0, 0, 0))
    calls = [{"count": 5, "throw": False}, {"count": 0, "throw": True}]
    ways = [{"count": n, "throw": False} for n in (5, 0, 0)]
    assert is_unreached(one_line, {"count": 5, "branches": 2 * calls + ways})
    assert not is_unreached(one_line, line(5, 4, 1))
    assert not is_unreached(one_line, line(5, 4, 1, 0, 1, throw=[0]))
    assert not is_unreached(one_line, line(5, 4, 0))
    assert not is_unreached("return good || fail(what);", line(5, 4, 1))


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    report = json.loads(pathlib.Path(sys.argv[1]).read_text())
    places = sorted(unreached(report, pathlib.Path(sys.argv[2])))
    for file, number, text in places:
        print(f"{file}:{number}: {text}")
    print(f"places of error handling that no test reaches: {len(places)}")
    sys.exit(1 if places else 0)


if __name__ == "__main__":
    main()
