"""`--log FILE`: what is in it, its levels, and that nothing else depends on it."""

import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest

from support import CASES, FEM, fem, load_case, write_case

LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d+) (error|warning|info|debug) +(.+)")


class Logs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        case = load_case("hinges/latch.json")
        case["analysis"]["end"] = 2.0
        self.path = write_case(self.folder, case)
        self.log = self.folder / "run.log"

    def fem(self, *arguments, code=0):
        done = fem(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def lines(self):
        """Level and text of every line."""
        found = [LINE.fullmatch(line) for line in self.log.read_text().splitlines()]
        self.assertTrue(all(found))
        times = [match[1] for match in found]
        self.assertEqual(times, sorted(times))
        return [(match[3], match[4]) for match in found]

    def test_a_run(self):
        self.fem("run", self.path, "--log", self.log)
        lines = self.lines()
        self.assertIn(f"run {self.path} --log", lines[0][1])
        self.assertRegex(lines[1][1], r"case '.+', sha256 [0-9a-f]{64}: \d+ rods, \d+ elements")
        self.assertTrue(any("latch" in text and text.startswith("t = ") for _, text in lines))
        self.assertRegex(lines[-2][1], r"complete: \d+ steps, \d+ rejected")
        self.assertRegex(lines[-1][1], r"exit code 0 after \S+ s")
        self.assertLessEqual({level for level, _ in lines}, {"info", "warning"})

    def test_nothing_else_depends_on_it(self):
        plain = self.fem("run", self.path, "-o", "out.h5")
        logged = self.fem("run", self.path, "-o", "out.h5", "--log", self.log,
                          "--log-level", "debug")
        timeless = lambda text: re.sub(r"wall time.*|.* left\n", "", text)
        self.assertEqual(timeless(plain.stdout), timeless(logged.stdout))
        self.assertEqual(timeless(plain.stderr), timeless(logged.stderr))

    def test_levels(self):
        counts = {}
        levels = ["error", "warning", "info", "debug"]
        for i, level in enumerate(levels):
            self.log.unlink(missing_ok=True)
            self.fem("run", self.path, "--log", self.log, "--log-level", level)
            lines = self.lines()
            self.assertLessEqual({found for found, _ in lines}, set(levels[:i + 1]))
            counts[level] = len(lines)
        self.assertEqual(counts["error"], 0)
        self.assertGreater(counts["info"], 3)
        self.assertGreater(counts["debug"], counts["info"] + 50)  # every row
        self.fem("run", self.path, "--log", self.log, "--log-level", "loud", code=2)

    def test_what_is_refused(self):
        self.fem("check", self.path, "--set", "/hinges/hinge/spring/stiffness=soft", "--log",
                 self.log, code=2)
        lines = self.lines()
        self.assertIn("error", [level for level, _ in lines])
        self.assertTrue(any("/hinges/" in text for level, text in lines if level == "error"))
        self.assertIn("exit code 2", lines[-1][1])

    def test_a_log_where_a_folder_is(self):
        done = self.fem("check", self.path, "--log", self.folder, code=4)
        self.assertIn("cannot be written", done.stderr)
        self.assertNotIn("defect", done.stderr)

    def test_what_fails(self):
        self.fem("run", self.path, "--set", "/analysis/method/local_tolerance=1e-300", "--log",
                 self.log, code=3)
        lines = self.lines()
        self.assertTrue(any(level == "error" and "t = " in text for level, text in lines), lines)
        self.assertIn("exit code 3", lines[-1][1])

    def test_a_run_in_parts_goes_on_in_the_same_log(self):
        out = self.folder / "out.h5"
        self.fem("run", self.path, "-o", out, "--wall-limit", 0.005, "--log", self.log, code=130)
        self.fem("run", self.path, "--resume", out, "--log", self.log)
        texts = [text for _, text in self.lines()]
        self.assertEqual(sum("exit code" in text for text in texts), 2)
        self.assertTrue(any("interrupted at t = " in text for text in texts))
        self.assertTrue(any("goes on at t = " in text for text in texts))

    def test_a_killed_run_leaves_its_last_lines(self):
        process = subprocess.Popen(
            [FEM, "run", self.path, "--set", "/analysis/end=2000", "--log", self.log,
             "--log-level", "debug"], cwd=self.folder, stderr=subprocess.DEVNULL)
        for _ in range(6000):
            time.sleep(0.01)
            if self.log.exists() and self.log.stat().st_size > 5000:
                break
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertGreater(len(self.lines()), 20)

    def test_other_commands(self):
        case = CASES / "benchmarks/lee_frame.json"
        for command in ("statics", "modes", "check"):
            with self.subTest(command=command):
                self.log.unlink(missing_ok=True)
                done = fem(command, case, "--log", self.log, cwd=self.folder)
                self.assertIn(f"exit code {done.returncode}", self.lines()[-1][1])
        self.log.unlink()
        sweep = CASES / "sweeps/arm_tolerances.sweep.jsonc"
        self.fem("sweep", sweep, "-o", "out.h5", "--log", self.log, "--log-level", "debug")
        texts = [text for _, text in self.lines()]
        self.assertTrue(any(re.fullmatch(r"sample \d+: complete", text) for text in texts))

    def test_a_log_that_cannot_be_written(self):
        done = self.fem("run", self.path, "-o", "out.h5", "--log", "no/such/folder/run.log", code=4)
        self.assertIn("no/such/folder/run.log", done.stderr)
        self.assertFalse((self.folder / "out.h5").exists())


if __name__ == "__main__":
    unittest.main()
