"""Lists the places of error handling that no test has reached.

    unreached_errors.py GCOVR_JSON ROOT

GCOVR_JSON is what `gcovr --json` writes. A place of error handling is a line that throws, or makes
what is thrown or told: a problem with its remedy, an outcome that failed. Exit code 1 if there is
any; scripts/test coverage calls it.
"""

import json
import pathlib
import re
import sys

ERROR = re.compile(r"\bthrow\b|\bcatch\b|Problem\{|Error\(|Error\{|\bfail\(|\brefuse\w*\(|"
                   r"\breport\(|\bwarn\w*\(|problems\.push_back")


def unreached(report, root):
    """(file, line number, text) of every such line that was compiled and never executed."""
    for entry in report["files"]:
        lines = (root / entry["file"]).read_text().splitlines()
        for line in entry["lines"]:
            text = lines[line["line_number"] - 1]
            if line["count"] == 0 and not line.get("gcovr/noncode") and ERROR.search(text):
                yield entry["file"], line["line_number"], text.strip()


def main():
    report = json.loads(pathlib.Path(sys.argv[1]).read_text())
    places = sorted(unreached(report, pathlib.Path(sys.argv[2])))
    for file, number, text in places:
        print(f"{file}:{number}: {text}")
    print(f"places of error handling that no test reaches: {len(places)}")
    sys.exit(1 if places else 0)


if __name__ == "__main__":
    main()
