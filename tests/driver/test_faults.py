"""What can go wrong around a run: docs/reliability.md has a row for each of these tests.

What ends a run in its middle (signals, kill -9) is in test_run.py and test_resume.py, a full disk
in tests/io/recorder_test.cpp.
"""

import fcntl
import itertools
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import h5py
import numpy as np

from support import FEM, ROOT, SANITIZED, fem, load_case, patience, write_case

NO_LIMITS = "sanitizers take more addresses than any limit of memory"
LETTERS = "Rahmen, Größe × 2 — стержень"  # blanks and letters of three alphabets


def deployment(**analysis):
    case = load_case("three_rod_deployment.json")
    case["analysis"].update({"end": 0.02, "output": {"every": 0.005}}, **analysis)
    return case


class Faults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.case = write_case(self.folder, deployment())
        self.out = self.folder / "out.h5"

    def run_with(self, *arguments, **options):
        """fem with other streams or limits than a test's."""
        return subprocess.run([FEM, *map(str, arguments)], text=True, timeout=patience(60),
                              stderr=subprocess.PIPE, **options)

    def start_long(self, *arguments):
        """A run that has written rows and a checkpoint, and goes on."""
        process = subprocess.Popen(
            [FEM, "run", self.case, "--set", "/analysis/end=2000", "-o", self.out,
             "--checkpoint", "0.1", "--threads", "1", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        checkpoint = pathlib.Path(f"{self.out}.checkpoint")
        for _ in range(600):
            if checkpoint.exists():
                return process
            time.sleep(0.05)
        self.fail("no checkpoint appeared")

    def assert_results(self, path, status="complete"):
        with h5py.File(path, "r") as f:
            self.assertEqual(f.attrs["status"], status)
            self.assertTrue(np.isfinite(f["points/position"][:]).all())
            return {name: f[name][:] for name in ("time", "points/position", "energy/kinetic")}

    def assert_same(self, a, b):
        for name in a:
            np.testing.assert_array_equal(a[name], b[name])

    # ---- the target

    def test_folder_that_may_not_be_written(self):
        closed = self.folder / "closed"
        closed.mkdir()
        closed.chmod(0o555)
        self.folder.chmod(0o755)

        def as_nobody():
            if os.geteuid() == 0:  # root may write everywhere
                os.setgid(65534)
                os.setuid(65534)

        result = self.run_with("run", self.case, "-o", closed / "out.h5", preexec_fn=as_nobody)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn(f"{closed / 'out.h5'}: cannot open for writing: Permission denied",
                      result.stderr)

    def test_results_do_not_replace_what_is_none(self):
        start = self.folder / "start.h5"
        self.assertEqual(fem("run", self.case, "-o", start, "--quiet").returncode, 0)
        from_start = deployment()
        from_start["initial"] = {"from": "start.h5"}
        other = write_case(self.folder, from_start, "other.json")
        table = self.folder / "table.csv"
        table.write_text("0,0\n1,1\n")
        for arguments, target in (((self.case,), self.case), ((self.case,), table),
                                  ((other,), start)):
            for command in ("run", "statics", "modes"):
                before = target.read_bytes()
                result = fem(command, *arguments, "-o", target, "--quiet")
                self.assertEqual(result.returncode, 4, result.stderr)
                self.assertIn("is not overwritten", result.stderr)
                self.assertEqual(target.read_bytes(), before)

    def test_results_that_are_removed_or_cut(self):
        def cut(size):
            return lambda: os.truncate(self.out, size)

        for harm, words in ((lambda: os.remove(self.out), "No such file"),
                            (cut(1000), "cannot open for writing"), (cut(0), "cannot open")):
            with self.subTest(words):
                process = self.start_long()
                harm()
                _, errors = process.communicate(timeout=patience(60))
                self.assertEqual(process.returncode, 4, errors)
                self.assertIn(str(self.out), errors)
                self.assertIn(words, errors)
                self.assertNotIn("defect", errors)
                for path in self.folder.glob("out.h5*"):
                    path.unlink()

    def test_reader_that_holds_a_lock(self):
        process = self.start_long()
        with open(self.out, "rb") as reader:
            fcntl.flock(reader, fcntl.LOCK_SH)
            rows = self.count_rows()
            for _ in range(100):
                time.sleep(0.2)
                if self.count_rows() > rows:
                    break
            self.assertGreater(self.count_rows(), rows)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=patience(60))
        self.assertEqual(process.returncode, 130, errors)
        self.assert_results(self.out, "interrupted")

    def count_rows(self):
        code = "import h5py, sys; print(len(h5py.File(sys.argv[1], 'r', swmr=True)['time']))"
        done = subprocess.run(["/usr/bin/python3", "-c", code, self.out], text=True,
                              capture_output=True,
                              env={**os.environ, "HDF5_USE_FILE_LOCKING": "FALSE"})
        return int(done.stdout) if done.returncode == 0 else -1

    def test_limit_of_the_size_of_files(self):
        def limited(size=300_000):
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        many = ["--set", "/analysis/end=0.2", "--set", "/analysis/output/every=1e-4"]
        result = self.run_with("run", self.case, *many, "-o", self.out, preexec_fn=limited)
        self.assertEqual(result.returncode, 4, result.stderr)
        self.assertIn("File too large", result.stderr)
        self.assert_results(self.out, "running")
        for command in ("run", "modes", "statics"):
            result = self.run_with(command, self.case, "-o", self.folder / "none.h5",
                                   preexec_fn=lambda: limited(100))
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn("File too large", result.stderr)
        with open(self.folder / "schema.json", "wb") as answer:
            result = self.run_with("schema", stdout=answer, preexec_fn=lambda: limited(100))
        self.assertEqual(result.returncode, 4, result.stderr)
        result = self.run_with("check", self.case, "--log", self.folder / "log",
                               stdout=subprocess.DEVNULL, preexec_fn=lambda: limited(100))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("the log cannot be written", result.stderr)

    def test_checkpoint_that_cannot_be_written(self):
        for name in ("out.h5.checkpoint", "out.h5.checkpoint.new"):
            folder = self.folder / name  # no file takes the place of a folder
            folder.mkdir()
            (folder / "file").touch()
            result = fem("run", self.case, "-o", self.out, "--checkpoint", 0, "--set",
                         "/analysis/end=2")
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn(name, result.stderr)
            self.assertNotIn("defect", result.stderr)
            shutil.rmtree(folder)
            self.assertEqual(sorted(f.name for f in self.folder.glob("out.h5*")), ["out.h5"])

    def test_a_link_is_not_followed(self):
        precious = self.folder / "precious"
        precious.write_text("content")
        for name in ("out.h5.checkpoint", "out.h5.checkpoint.new"):
            (self.folder / name).symlink_to(precious)
            process = self.start_long("--quiet") if name.endswith("new") else None
            if process is None:
                result = fem("run", self.case, "-o", self.out, "--quiet", "--checkpoint", 0)
                self.assertEqual(result.returncode, 0, result.stderr)
            else:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=patience(60))
            self.assertEqual(precious.read_text(), "content")

    # ---- numbers

    def test_results_that_are_no_numbers(self):
        """The state is finite, its energy is not: said by name, and not written."""
        case = deployment()
        case["bodies"] = {"b": {"at": "C", "rod": "rod3", "mass": 1e308, "inertia": 1e300}}
        for change, words in (({}, "the potential of gravity is not"),
                              ({"gravity": [0, -1e308]}, "step 1: ")):
            result = fem("run", write_case(self.folder, {**case, **change}), "-o", self.out)
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertRegex(result.stderr, "at t = .* is not (a )?finite")
            self.assertNotIn("nan", result.stderr)
            with h5py.File(self.out, "r") as f:
                f.visititems(lambda name, item: self.assertTrue(
                    not isinstance(item, h5py.Dataset) or item.dtype.kind != "f"
                    or np.isfinite(item[()]).all(), name))

    # ---- a stored state

    def test_damaged_bits_of_a_checkpoint(self):
        done = fem("run", self.case, "--set", "/analysis/end=1", "-o", self.out, "--wall-limit",
                   0.05)
        self.assertEqual(done.returncode, 130, done.stderr)
        checkpoint = pathlib.Path(f"{self.out}.checkpoint")
        good, results = checkpoint.read_bytes(), self.out.read_bytes()
        random = np.random.default_rng(1)
        for place in [0, 19, 20, 83, 84, 85, *random.integers(0, len(good), 20)]:
            bad = bytearray(good)
            bad[place] ^= 1 << int(random.integers(8))
            checkpoint.write_bytes(bad)
            result = fem("run", self.case, "--set", "/analysis/end=1", "--resume", self.out)
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn("is no checkpoint of libfem, or is damaged", result.stderr)
            self.assertEqual(self.out.read_bytes(), results)

    def test_damaged_results_to_start_from(self):
        start = self.folder / "start.h5"
        self.assertEqual(fem("run", self.case, "-o", start, "--quiet").returncode, 0)
        case = deployment()
        case["initial"] = {"from": "start.h5"}
        case["analysis"]["end"] = 0.001
        path = write_case(self.folder, case, "other.json")
        good = start.read_bytes()
        random = np.random.default_rng(2)
        for bad in [b"", good[:100], good[:len(good) // 2], b"x" * 5000]:
            start.write_bytes(bad)
            result = fem("run", path, "-o", self.out, "--quiet")
            self.assertIn(result.returncode, (2, 4), result.stderr)
            self.assertIn("start.h5", result.stderr)
        for place in random.integers(0, len(good), 20):
            bad = bytearray(good)
            bad[place] ^= 1 << int(random.integers(8))
            start.write_bytes(bad)
            result = fem("run", path, "-o", self.out, "--quiet")
            self.assertIn(result.returncode, (0, 2, 3, 4), result.stderr)  # no crash
            self.assertNotIn("defect", result.stderr)

    # ---- memory

    @unittest.skipIf(SANITIZED, NO_LIMITS)
    def test_more_elements_than_memory(self):
        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000, 2_000_000_000))

        for command in ("check", "run", "statics", "modes"):
            begin = time.monotonic()
            result = self.run_with(command, self.case, "--set", "/rods/rod2/elements=9000000",
                                   preexec_fn=limited, cwd=self.folder)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("/rods/rod2/elements", result.stderr)
            self.assertRegex(result.stderr, r"9000014 elements, which need about 13\.5 GB of "
                                            r"memory; [01]\.\d+ GB are free")
            self.assertLess(time.monotonic() - begin, 5)
        self.assertFalse((self.folder / "case.h5").exists())

    @unittest.skipIf(SANITIZED, NO_LIMITS)
    def test_memory_for_the_run(self):
        """The model fits, a run of it does not: said before the run begins."""
        def limited():
            resource.setrlimit(resource.RLIMIT_AS, (500_000_000, 500_000_000))

        result = self.run_with("run", self.case, "--set", "/rods/rod2/elements=150000", "-o",
                               self.out, preexec_fn=limited)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertRegex(result.stderr, "150014 elements, which need about .* GB of memory")
        self.assertFalse(self.out.exists())

    @unittest.skipIf(SANITIZED, NO_LIMITS)
    def test_memory_that_ends_in_the_middle(self):
        """Whichever allocation fails first: exit 3 with a reason, and results that can be read."""
        def limited(size):  # of data: fem does not look at this limit before it begins
            return lambda: resource.setrlimit(resource.RLIMIT_DATA, (size, size))

        settings = ["--set", "/rods/rod2/elements=4000", "--set", "/analysis/end=2e-6",
                    "--set", "/analysis/output/every=1e-6"]
        sizes = range(2_000_000, 62_000_000, 1_500_000)
        # Less than a program's own data, and the system does not start it.
        first = next(size for size in sizes
                     if self.run_with("--version", stdout=subprocess.DEVNULL,
                                      preexec_fn=limited(size)).returncode == 0)
        ends, messages = set(), ""
        for threads, size in itertools.product((1, 2), [first - 2_000_000 + s for s in sizes]):
            self.out.unlink(missing_ok=True)
            result = self.run_with("run", self.case, *settings, "--threads", threads, "-o",
                                   self.out, stdout=subprocess.DEVNULL, preexec_fn=limited(size))
            status = None
            if self.out.exists():
                with h5py.File(self.out) as file:
                    status = file.attrs["status"]
            ends.add((result.returncode, status))
            messages += result.stderr
            if result.returncode:
                self.assertIn("not enough memory", result.stderr)
        self.assertEqual(ends, {(3, None), (3, "failed"), (0, "complete")})
        self.assertIn("warning: the system lets 1 of 2 threads start", messages)

    # ---- input without an end

    def test_input_that_is_no_file(self):
        os.mkfifo(self.folder / "pipe")
        for path, code in (("/dev/zero", 4), ("/dev/full", 4), (self.folder, 4),
                           (self.folder / "pipe", 2)):
            for arguments in ((path,), (self.case, "--set", f'/include="{path}"')):
                result = fem("check", *arguments, timeout=20)
                self.assertIn(result.returncode, (2, 4), result.stderr)
                self.assertNotIn("defect", result.stderr)
            self.assertEqual(fem("check", path, timeout=20).returncode, code)
            law = json.dumps({"kind": "table", "file": str(path)})
            result = fem("check", self.case, "--set", f"/laws/first={law}", timeout=20)
            self.assertEqual(result.returncode, 2, result.stderr)

    def test_input_that_grows_while_it_is_read(self):
        """Files that include the next one twice, 25 deep; a megabyte of brackets and of names."""
        for i in range(25):
            write_case(self.folder, {"include": [f"i{i + 1}.json"] * 2}, f"i{i}.json")
        write_case(self.folder, deployment(), "i25.json")
        result = fem("check", self.folder / "i0.json", timeout=60)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("more than 1000 files are included", result.stderr)
        many = 1_000_000
        for text in ("(" * many, "-" * many + "t", "sin(" * many, "t^" * many, "x" * many,
                     "'" * many):
            case = deployment()
            case["laws"]["first"] = {"kind": "expression", "expression": text}
            result = fem("check", write_case(self.folder, case, "long.json"), timeout=60)
            self.assertEqual(result.returncode, 2, result.stderr[:1000])
            self.assertLess(len(result.stderr), 5000)
        for text in ("[" * many, '{"a":' * many):
            result = fem("check", write_case(self.folder, text, "deep.json"), timeout=60)
            self.assertEqual(result.returncode, 2, result.stderr[:1000])
            self.assertIn("nested deeper than 64", result.stderr)

    def test_case_from_a_pipe(self):
        with open(self.case, encoding="utf-8") as text:
            source = subprocess.Popen(["cat"], stdin=text, stdout=subprocess.PIPE)
            result = self.run_with("check", "/dev/stdin", stdin=source.stdout,
                                   stdout=subprocess.PIPE)
            source.wait()
            source.stdout.close()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("elements 21", result.stdout)

    # ---- streams and terminals

    def test_answer_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in (("check", self.case), ("schema",), ("modes", self.case),
                              ("run", self.case, "-o", self.out)):
                result = self.run_with(*arguments, stdout=full)
                self.assertEqual(result.returncode, 4, result.stderr)
                self.assertIn("could not be written to standard output", result.stderr)
        self.assert_results(self.out)

    def test_messages_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([FEM, "run", self.case, "-o", self.out], stderr=full,
                                    stdout=subprocess.PIPE, timeout=patience(60))
            self.assertEqual(result.returncode, 0)
            result = subprocess.run([FEM, "check", self.folder / "none.json"], stderr=full)
            self.assertEqual(result.returncode, 2)
        self.assert_results(self.out)

    def test_closed_streams(self):
        """Results would take the number of a closed stream, and messages would go into them."""
        close = [FEM, "run", str(self.case), "-o", str(self.out)]
        open_streams = self.folder / "open.h5"
        self.assertEqual(fem("run", self.case, "-o", open_streams).returncode, 0)
        result = subprocess.run(["sh", "-c", '"$@" <&- >&- 2>&-', "sh", *close], timeout=patience(60))
        self.assertEqual(result.returncode, 0)
        self.assert_same(self.assert_results(self.out), self.assert_results(open_streams))

    def test_reader_of_messages_that_goes_away(self):
        process = self.start_long()
        process.stdout.close()
        process.stderr.close()
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.wait(60)
        self.assert_results(self.out, "interrupted")

    def test_terminal_that_closes(self):
        process = self.start_long()
        process.send_signal(signal.SIGHUP)
        _, errors = process.communicate(timeout=patience(60))
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("--resume", errors)
        self.assert_results(self.out, "interrupted")

    def test_no_hang_up_under_nohup(self):
        result = subprocess.run(
            ["sh", "-c", 'trap "" HUP; "$@" & sleep 0.1; kill -HUP $!; wait $!', "sh", FEM, "run",
             str(self.case), "--set", "/analysis/end=0.2", "-o", str(self.out)],
            capture_output=True, text=True, timeout=patience(60))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_results(self.out)

    # ---- clock, locale, names

    def preload_jumping_clock(self):
        source = self.folder / "clock.c"
        source.write_text("""
            #define _GNU_SOURCE
            #include <time.h>
            #include <unistd.h>
            #include <sys/syscall.h>
            #include <sys/time.h>
            static long calls;
            int clock_gettime(clockid_t id, struct timespec* t) {
              int r = (int)syscall(SYS_clock_gettime, id, t);
              if (id == CLOCK_REALTIME) t->tv_sec += (++calls % 2) * 86400 - 3600;
              return r;
            }
            time_t time(time_t* t) {
              struct timespec now;
              clock_gettime(CLOCK_REALTIME, &now);
              if (t) *t = now.tv_sec;
              return now.tv_sec;
            }
        """)
        library = self.folder / "clock.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
        return library

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_clock_that_jumps(self):
        """Between yesterday and tomorrow at every look: a step of NTP, or a sleeping laptop."""
        self.assertEqual(fem("run", self.case, "-o", self.out).returncode, 0)
        expected = self.assert_results(self.out)
        environment = {**os.environ, "LD_PRELOAD": str(self.preload_jumping_clock())}
        result = self.run_with("run", self.case, "-o", self.out, "--wall-limit", 1000,
                               stdout=subprocess.PIPE, env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_same(self.assert_results(self.out), expected)
        spent = float(re.search(r"wall time +(\S+) s", result.stdout)[1])
        self.assertTrue(0 <= spent < 60, spent)

    @unittest.skipUnless(shutil.which("localedef") and os.path.exists("/usr/share/i18n"),
                         "no locale can be made")
    def test_locale_with_a_decimal_comma(self):
        subprocess.run(["localedef", "-c", "-i", "de_DE", "-f", "UTF-8",
                        self.folder / "de_DE.UTF-8"], capture_output=True)
        if not (self.folder / "de_DE.UTF-8").exists():
            self.skipTest("no locale can be made")
        german = {**os.environ, "LOCPATH": str(self.folder), "LC_ALL": "de_DE.UTF-8",
                  "LANG": "de_DE.UTF-8"}
        comma = subprocess.run(["/usr/bin/printf", "%.1f", "1,5"], env=german, text=True,
                               capture_output=True)
        self.assertEqual(comma.stdout, "1,5", "the locale is not in force")
        outputs = []
        for environment in (os.environ, german):
            texts = [self.run_with(*arguments, stdout=subprocess.PIPE, env=environment).stdout
                     for arguments in (("check", self.case), ("schema",), ("modes", self.case),
                                       ("run", self.case, "-o", self.out, "--quiet"))]
            outputs.append((texts, self.assert_results(self.out)))
        self.assertEqual(outputs[0][0], outputs[1][0])
        self.assert_same(outputs[0][1], outputs[1][1])

    def test_names_with_blanks_and_other_letters(self):
        folder = self.folder / LETTERS
        folder.mkdir()
        case = deployment(end=0.005)
        case["title"] = LETTERS
        case["points"][LETTERS] = case["points"].pop("C")
        case["rods"]["rod3"]["to"] = LETTERS
        case["rods"][LETTERS] = case["rods"].pop("rod3")
        case["hinges"]["hinge2"]["members"][1] = LETTERS
        case["laws"]["t " + LETTERS] = {"kind": "table", "file": f"{LETTERS}.csv"}
        case["loads"] = {LETTERS: {"at": LETTERS, "force": ["t " + LETTERS, 0]}}
        (folder / f"{LETTERS}.csv").write_text("0,0\n1,1\n")
        path = write_case(folder, case, f"{LETTERS}.json")
        for environment in (os.environ, {**os.environ, "LC_ALL": "C", "LANG": "C"}):
            result = self.run_with("run", path, cwd=folder, env=environment,
                                   stdout=subprocess.PIPE)
            self.assertEqual(result.returncode, 0, result.stderr)
            out = folder / f"{LETTERS}.h5"
            self.assert_results(out)
            with h5py.File(out, "r") as f:
                self.assertIn(LETTERS, f["rods"])
                self.assertEqual(f.attrs["title"], LETTERS)
            out.unlink()
        result = fem("check", folder / "none.json")
        self.assertEqual(result.returncode, 2)
        self.assertIn(LETTERS, result.stderr)

    # ---- nothing is written elsewhere

    def test_only_the_asked_files_are_written(self):
        """Whatever names a case has, its results are where they are asked for."""
        inside = self.folder / "a" / "b"
        inside.mkdir(parents=True)
        case = deployment(end=0.005)
        for name in ("..", "../x", "/tmp/x", ".", "", "a/b", "x\u0000y"):
            for kind in ("points", "rods", "hinges"):
                bad = {**case, kind: {**case[kind], name: next(iter(case[kind].values()))}}
                result = fem("run", write_case(inside, bad), "-o", inside / "o.h5", cwd=inside)
                if result.returncode != 0:
                    self.assertEqual(result.returncode, 2, result.stderr)
        include = write_case(inside, {"include": "../../case.json", "title": "../../../etc/x"},
                             "c.json")
        for arguments in (("run", include), ("run", include, "--checkpoint", 0),
                          ("statics", include), ("modes", include, "-o", "m.h5"),
                          ("run", include, "-o", "../b/r.h5")):
            result = fem(*arguments, "--quiet", cwd=inside)
            self.assertEqual(result.returncode, 0, result.stderr)
        written = {str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if p.is_file()}
        self.assertLessEqual(written, {"case.json", *(f"a/b/{name}" for name in (
            "case.json", "c.json", "o.h5", "c.h5", "m.h5", "r.h5"))})

    def test_only_the_asked_files_are_written_by_a_sweep(self):
        inside = self.folder / "it's $(touch bad) `touch worse`"
        inside.mkdir()
        write_case(inside, {
            "libfem_sweep": 1, "case": "../case.json", "title": "../../x", "seed": 1,
            "design": {"kind": "sobol", "samples": 2},
            "vary": {"../end": {"at": "/sections/bar/EI", "uniform": [60, 61]}},
            "outputs": {"t": {"quantity": "/points/position", "point": "C", "index": [1]}},
        }, "s.json")
        bad = fem("sweep", "s.json", "-o", "s.h5", "--quiet", cwd=inside)
        self.assertEqual(bad.returncode, 2, bad.stderr)  # names become paths in the results
        text = (inside / "s.json").read_text().replace("../end", "EI")
        (inside / "s.json").write_text(text)
        for arguments in (("--slurm", "s.sh"), ()):
            result = fem("sweep", "s.json", "-o", "s.h5", "--quiet", *arguments, cwd=inside)
            self.assertEqual(result.returncode, 0, result.stderr)
        written = {p.name for p in self.folder.rglob("*") if p.is_file()}
        self.assertEqual(written, {"case.json", "s.json", "s.sh", "s.h5", "s.h5.samples"})
        subprocess.run(["sh", "-n", inside / "s.sh"], check=True)
        words = subprocess.run(["sh", "-c", f"fem() {{ printf '%s\\n' \"$@\"; }}; . {'./s.sh'}"],
                               cwd=inside, text=True, capture_output=True,
                               env={**os.environ, "SLURM_ARRAY_TASK_ID": "1"}).stdout
        self.assertIn(str(inside / "s.json"), words.splitlines())
        self.assertFalse([p for p in inside.iterdir() if p.name in ("bad", "worse")])


class Papers(unittest.TestCase):
    def test_every_package_has_its_licence(self):
        """All that scripts/lib.sh installs is in docs/licences.md."""
        script = (ROOT / "scripts" / "lib.sh").read_text(encoding="utf-8")
        lists = re.findall(r"(?:build|check)_packages=\(([^)]*)\)", script)
        packages = set(" ".join(lists).split())
        self.assertGreater(len(packages), 20)
        paper = set(re.findall(r"[\w+-]+", (ROOT / "docs" / "licences.md").read_text("utf-8")))
        self.assertEqual(packages - paper, set())

    def test_every_fault_has_its_row(self):
        """The tests here and their rows in docs/reliability.md are the same."""
        tests = {name for name in dir(Faults) if name.startswith("test_")}
        page = (ROOT / "docs" / "reliability.md").read_text("utf-8")
        rows = set(re.findall(r"`faults: (test_\w+)`", page))
        self.assertEqual(tests, rows)


if __name__ == "__main__":
    unittest.main()
