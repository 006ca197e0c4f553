"""Hundreds of mutated cases (mutations.py): none runs, messages say where, what and the remedy.

The messages stand in mutated_cases.txt, for people to read and judge. When one changes:

    FEM_DRIVER=build/release/drivers/fem python3 tests/driver/test_mutated_cases.py --write

and look at the difference. `--all` judges every mutation of every case, some thousand.
"""

import concurrent.futures
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

import mutations
from support import CASES, fem

SEED = 1
ALL = "--all" in sys.argv
GOLDEN = pathlib.Path(__file__).with_name("mutated_cases.txt")
BESIDE = [CASES / "format" / name for name in ("materials.jsonc", "turn.csv")]
MESSAGE = re.compile(r"fem: (?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): "
                     r"(?P<pointer>/.*?|\(the file\)): (?P<what>.+?); (?P<remedy>.+)")


def find_places(text):
    """Line and column of every value of a JSON text, by pointer."""
    places, at = {}, 0
    blank = re.compile(r"[ \t\r\n,:]*")

    def skip():
        nonlocal at
        at = blank.match(text, at).end()

    def value(pointer):
        nonlocal at
        skip()
        row = text.rfind("\n", 0, at) + 1
        places[pointer] = (text.count("\n", 0, at) + 1, at - row + 1)
        if text[at] in "{[":
            closing, index, keyed = ("}", 0, True) if text[at] == "{" else ("]", 0, False)
            at += 1
            skip()
            while text[at] != closing:
                key = index
                if keyed:
                    key, at = json.decoder.scanstring(text, at + 1)
                value(mutations.join(pointer, key))
                index += 1
                skip()
            at += 1
        elif text[at] == '"':
            _, at = json.decoder.scanstring(text, at + 1)
        else:
            at = re.compile(r"[^ \t\r\n,\]}]*").match(text, at).end()

    value("")
    return places


def try_mutation(index_and_mutation):
    """What fem says of a mutated case, and what stands in the folder afterwards."""
    index, mutation = index_and_mutation
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in BESIDE:
            shutil.copy(file, folder)
        for file, text in mutation.files.items():
            (folder / file).write_text(text, encoding="utf-8")
        path = folder / "case.json"
        path.write_bytes(mutation.text.encode(mutation.encoding))
        before = sorted(folder.iterdir())
        result = fem("run" if index % 2 else "check", "case.json", cwd=folder, timeout=60)
        return result, sorted(folder.iterdir()) == before


def try_all(chosen):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(try_mutation, enumerate(chosen)))


def describe(mutation, result):
    messages = [line for line in result.stderr.splitlines() if line.startswith("fem: ")]
    # Lines and columns are judged by themselves: they move with every edit of a case.
    messages = [re.sub(r":\d+:\d+: ", ": ", line, count=1) for line in messages]
    head = f"{mutation.family}: {mutation.pointer or 'the text'} = {mutation.shown}"
    where = f"  ({mutation.case})" if mutation.case else ""
    return "\n    ".join([head + where, *(line.removeprefix("fem: ") for line in messages[:-1])])


class MutatedCases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.chosen = mutations.choose(SEED, all_of_them=ALL)
        cls.tried = try_all(cls.chosen)

    def judge(self, mutation, result, is_untouched):
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertTrue(is_untouched, "something was written")
        *messages, end = [line for line in result.stderr.splitlines() if line.startswith("fem: ")]
        count = f"{len(messages)} problem{'s' if len(messages) > 1 else ''}"
        self.assertEqual(end, f"fem: {count} in case.json; nothing was run")
        self.assertGreater(len(messages), 0)
        for text in messages:
            message = MESSAGE.fullmatch(text)
            self.assertIsNotNone(message, text)
            self.assertGreater(len(message["remedy"]), 5, text)
            if message["file"] == "case.json":
                self.judge_place(mutation, message)

    def judge_place(self, mutation, message):
        """Line and column are those of the value at the pointer, or of what holds it."""
        place = int(message["line"]), int(message["column"])
        lines = mutation.text.split("\n")
        self.assertLessEqual(place[0], len(lines), message[0])
        self.assertLessEqual(place[1], len(lines[place[0] - 1]) + 1, message[0])
        pointer = message["pointer"].replace("(the file)", "")
        try:
            json.loads(mutation.text.encode(mutation.encoding))
        except ValueError:
            return  # there are no values to point to
        places = find_places(mutation.text)
        while pointer not in places:
            pointer = pointer.rpartition("/")[0]
        self.assertEqual(place, places[pointer], message[0])

    def test_none_runs_and_every_message_says_where_what_and_the_remedy(self):
        self.assertGreaterEqual(len({m.text + str(m.files) for m in self.chosen}), 200)
        for mutation, (result, is_untouched) in zip(self.chosen, self.tried):
            with self.subTest(mutation=mutation):
                self.judge(mutation, result, is_untouched)

    def test_one_wrong_value_is_told_where_it_stands(self):
        for mutation, (result, _) in zip(self.chosen, self.tried):
            if not mutation.is_single:
                continue
            messages = filter(None, map(MESSAGE.fullmatch, result.stderr.splitlines()))
            pointers = [message["pointer"].replace("(the file)", "") for message in messages]
            parent = mutation.pointer.rpartition("/")[0]
            with self.subTest(mutation=mutation):
                self.assertTrue(any(p.startswith(parent) or parent.startswith(p) for p in pointers),
                                pointers)

    @unittest.skipIf(ALL, "the file holds a choice")
    def test_messages_are_those_that_were_judged(self):
        text = "\n".join(describe(m, result) for m, (result, _) in zip(self.chosen, self.tried))
        self.maxDiff = None
        self.assertMultiLineEqual(GOLDEN.read_text(encoding="utf-8"), text + "\n")


def write_messages():
    chosen = mutations.choose(SEED)
    told = [describe(m, result) for m, (result, _) in zip(chosen, try_all(chosen))]
    GOLDEN.write_text("\n".join(told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if "--write" in sys.argv:
        write_messages()
    else:
        unittest.main(argv=[word for word in sys.argv if word != "--all"])
