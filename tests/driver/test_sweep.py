"""`fem sweep`: designs, failures, interruption, shards; the same file in every way of working."""

import json
import math
import pathlib
import resource
import signal
import subprocess
import tempfile
import time
import unittest

import h5py
import numpy as np

from support import CASES, FEM, fem, load_case, patience, write_case

SWEEP = {
    "libfem_sweep": 1,
    "case": "case.json",
    "design": {"kind": "grid"},
    "vary": {"EI": {"at": "/sections/bar/EI", "values": [30, 40, 50]},
             "spring": {"at": "/hinges/root/spring/stiffness", "range": [1, 2, 2]}},
    "outputs": {"angle": {"quantity": "/hinges/root/angle"},
                "lowest": {"quantity": "/points/position", "point": "A", "index": [1],
                           "take": "min"},
                "moment": {"quantity": "/rods/arm/bending_moment", "index": [0, 0],
                           "take": "largest"},
                "mean": {"quantity": "/energy/kinetic", "take": "mean"},
                "most": {"quantity": "/energy/kinetic", "take": "max"}},
}


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.case = load_case("sweeps/pendulum_arm.json")
        self.case["analysis"] = {"end": 0.1, "output": {"every": 0.01}}
        write_case(self.folder, self.case)

    def write(self, name="sweep.json", **changes):
        return write_case(self.folder, {**json.loads(json.dumps(SWEEP)), **changes}, name)

    def sweep(self, path, name="out.h5", *arguments, code=0):
        out = self.folder / name
        done = fem("sweep", path, "-o", out, "--quiet", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return out, done.stderr

    def read(self, out):
        with h5py.File(out, "r") as f:
            found = {}
            f.visititems(lambda name, item: found.__setitem__(name, item[()])
                         if isinstance(item, h5py.Dataset) else None)
        return found

    def drawn(self, kind="random", samples=12, **changes):
        return self.write(design={"kind": kind, "samples": samples}, **{"vary": {
            "EI": {"at": "/sections/bar/EI", "normal": [40, 2]},
            "spring": {"at": ["/hinges/root/spring/stiffness",
                              "/hinges/root/damper/viscosity"], "uniform": [1, 2]}}, **changes})

    def test_a_grid_is_the_runs_one_by_one(self):
        out, _ = self.sweep(self.write())
        found = self.read(out)
        np.testing.assert_array_equal(found["inputs/EI"], [30, 30, 40, 40, 50, 50])
        np.testing.assert_array_equal(found["inputs/spring"], [1, 2, 1, 2, 1, 2])
        np.testing.assert_array_equal(found["status"], np.ones(6))
        for i in (0, 3, 5):
            single = self.folder / "single.h5"
            done = fem("run", self.folder / "case.json", "-o", single, "--quiet", "--threads", 1,
                       "--set", f"/sections/bar/EI={found['inputs/EI'][i]!r}",
                       "--set", f"/hinges/root/spring/stiffness={found['inputs/spring'][i]!r}")
            self.assertEqual(done.returncode, 0, done.stderr)
            with h5py.File(single, "r") as f:
                names = [n.decode() for n in f["points/names"]]
                kinetic = f["energy/kinetic"][:]
                expected = {
                    "angle": f["hinges/root/angle"][-1],
                    "lowest": f["points/position"][:, names.index("A"), 1].min(),
                    "moment": np.abs(f["rods/arm/bending_moment"][:, 0, 0]).max(),
                    "most": kinetic.max()}
                for name, value in expected.items():
                    self.assertEqual(found[f"outputs/{name}"][i], value, name)
                self.assertAlmostEqual(found["outputs/mean"][i], kinetic.mean(), places=12)

    def test_a_list(self):
        vary = {"EI": {"at": "/sections/bar/EI", "values": [30, 40]},
                "spring": {"at": "/hinges/root/spring/stiffness", "values": [1, 3]}}
        found = self.read(self.sweep(self.write(design={"kind": "list"}, vary=vary))[0])
        np.testing.assert_array_equal(found["inputs/EI"], [30, 40])
        np.testing.assert_array_equal(found["inputs/spring"], [1, 3])

    def test_drawn_samples_have_their_distributions(self):
        for kind in ("random", "latin_hypercube", "sobol"):
            with self.subTest(design=kind):
                count = 64
                found = self.read(self.sweep(self.drawn(kind, count), kind + ".h5")[0])
                spring, EI = found["inputs/spring"], found["inputs/EI"]
                self.assertTrue((spring > 1).all() and (spring < 2).all())
                # Five standard deviations of the means of independent samples.
                self.assertLess(abs(spring.mean() - 1.5), 5 / math.sqrt(12 * count))
                self.assertLess(abs(EI.mean() - 40), 5 * 2 / math.sqrt(count))
                if kind != "random":  # one in each slice
                    slices = np.sort(np.floor((spring - 1) * count))
                    np.testing.assert_array_equal(slices, np.arange(count))
                quantiles = np.quantile(found["outputs/angle"],
                                        found["quantiles/probability"])
                np.testing.assert_allclose(found["quantiles/angle"], quantiles, rtol=1e-12)
                with h5py.File(self.folder / (kind + ".h5"), "r") as f:
                    table = f["quantiles/angle"]
                    self.assertAlmostEqual(table.attrs["mean"], found["outputs/angle"].mean(), 12)
                    self.assertAlmostEqual(table.attrs["deviation"],
                                           found["outputs/angle"].std(ddof=1), 12)

    def test_the_same_file_on_any_number_of_workers(self):
        path = self.drawn()
        one, _ = self.sweep(path, "one.h5", "--workers", 1)
        time.sleep(1.1)  # in another second: no time is part of the file
        two, _ = self.sweep(path, "two.h5", "--workers", 2)
        self.assertEqual(one.read_bytes(), two.read_bytes())
        other, _ = self.sweep(self.drawn(seed=2), "other.h5")
        self.assertNotEqual(one.read_bytes(), other.read_bytes())

    def test_shards_collect_to_the_same_file(self):
        path = self.drawn()
        whole, _ = self.sweep(path, "whole.h5")
        for i in (1, 2, 3):
            self.sweep(path, "parts.h5", "--shard", f"{i}/3")
            self.assertFalse((self.folder / "parts.h5").exists())
        journals = sorted(self.folder.glob("parts.h5.samples*"))
        self.assertEqual(len(journals), 3)
        parts, _ = self.sweep(path, "parts.h5")
        self.assertEqual(whole.read_bytes(), parts.read_bytes())
        self.assertEqual(sorted(self.folder.glob("parts.h5.samples*")), journals)

    def test_a_failure_stops_nothing(self):
        vary = {"EI": {"at": "/sections/bar/EI", "values": [40, -1, 50]},
                "end": {"at": "/laws/push/points/1/1", "values": [1, 1e300, 2]}}
        self.case["laws"] = {"push": {"kind": "linear", "points": [[0, 0], [1, 1]]}}
        self.case["loads"] = {"tip": {"at": "A", "force": [0, "push"]}}
        write_case(self.folder, self.case)
        out, message = self.sweep(self.write(vary=vary))
        found = self.read(out)
        status = found["status"]
        self.assertEqual(len(status), 9)
        np.testing.assert_array_equal(status[3:6], [3, 3, 3])  # EI = -1
        np.testing.assert_array_equal(status[[0, 2, 6, 8]], [1, 1, 1, 1])
        np.testing.assert_array_equal(status[[1, 7]], [2, 2])
        np.testing.assert_array_equal(np.isnan(found["outputs/angle"]), status != 1)
        self.assertIn(b"/sections/bar/EI", found["message"][3])
        self.assertTrue(found["message"][1])
        self.assertIn("5 of 9 samples are not complete", message)
        good = found["outputs/angle"][status == 1]
        self.assertEqual(found["quantiles/angle"][0], good.min())

    def test_nothing_complete(self):
        vary = {"EI": {"at": "/sections/bar/EI", "values": [-2, -1]}}
        self.sweep(self.write(vary=vary), code=3)

    def test_interrupted_and_killed_sweeps_go_on(self):
        self.case["analysis"]["end"] = 0.5
        write_case(self.folder, self.case)
        path = self.drawn(samples=24)
        whole, _ = self.sweep(path, "whole.h5")
        out = self.folder / "parts.h5"
        journal = pathlib.Path(f"{out}.samples")
        for kill in (signal.SIGKILL, signal.SIGINT):
            before = journal.stat().st_size if journal.exists() else 0
            process = subprocess.Popen([FEM, "sweep", path, "-o", out, "--workers", "1"],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(1000):
                time.sleep(0.01)
                if journal.exists() and journal.stat().st_size > before + 300:
                    break
            process.send_signal(kill)
            process.communicate(timeout=patience(60))
            self.assertEqual(process.returncode, -9 if kill == signal.SIGKILL else 130)
            self.assertFalse(out.exists())
        with open(journal, "ab") as f:
            f.write(b"7\t1\t0x1.")  # a line that a kill has cut
        self.sweep(path, "parts.h5")
        self.assertEqual(whole.read_bytes(), out.read_bytes())

    def stop(self, path, out, workers, kill, ended):
        """Starts a sweep, and stops it when so many samples have ended."""
        journal = pathlib.Path(f"{out}.samples")
        process = subprocess.Popen([FEM, "sweep", path, "-o", out, "--workers", str(workers)],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + patience(60)
        while time.monotonic() < deadline:
            if journal.exists() and journal.read_bytes().count(b"\n") > ended:
                break
            time.sleep(0.005)
        process.send_signal(kill)
        self.assertEqual(process.wait(), -9 if kill == signal.SIGKILL else 130)
        self.assertFalse(out.exists())

    def test_poisoned_deployments_killed_and_interrupted(self):
        """scripts/monte_carlo does the same with a thousand."""
        case = load_case("three_rod_deployment_smooth.json")
        case["analysis"].update({"end": 2, "output": {"every": 0.1},
                                 "method": {"kind": "generalized_alpha", "tolerance": 1e-5}})
        write_case(self.folder, case)
        path = self.write(design={"kind": "random", "samples": 24}, seed=3, vary={
            "EI": {"at": "/sections/bar/EI", "normal": [60, 2]},
            "first": {"at": "/laws/first/points/1/1", "normal": [-3.14159265, 0.01]},
            "refused": {"at": "/sections/bar/mass_damping", "values": [0, 0, 0, 0, 0, -1]},
            "failing": {"at": "/analysis/method/tolerance", "values": [1e-5] * 5 + [1e-300]},
        }, outputs={"tip": {"quantity": "/points/position", "point": "C", "index": [0]},
                    "root": {"quantity": "/rods/rod1/bending_moment", "index": [0, 0],
                             "take": "largest"}})
        whole, _ = self.sweep(path, "whole.h5", "--workers", 1)
        out = self.folder / "parts.h5"
        self.stop(path, out, 2, signal.SIGKILL, 5)
        self.stop(path, out, 1, signal.SIGINT, 11)
        self.sweep(path, "parts.h5", "--workers", 2)
        self.assertEqual(whole.read_bytes(), out.read_bytes())
        found = self.read(out)
        for status in (1, 2, 3):  # complete, failed, refused
            self.assertIn(status, found["status"])
        self.assertTrue((np.isnan(found["outputs/tip"]) == (found["status"] != 1)).all())
        np.testing.assert_array_equal(found["status"] == 3, found["inputs/refused"] < 0)

    def refuse(self, pointer, *words, code=2, arguments=(), **changes):
        _, message = self.sweep(self.write(**changes), "bad.h5", *arguments, code=code)
        for word in (pointer, *words):
            self.assertIn(word, message)
        self.assertFalse((self.folder / "bad.h5").exists())

    def test_bad_sweeps(self):
        outputs = lambda **o: {"x": o}
        self.refuse("/outputs/x/quantity", "did you mean '/hinges/root/angle'?",
                    outputs=outputs(quantity="/hinges/root/angel"))
        self.refuse("/outputs/x/index", "2 dimensions", "0 indices",
                    outputs=outputs(quantity="/points/position"))
        self.refuse("/outputs/x/index", "beyond the 3",
                    outputs=outputs(quantity="/points/position", point="A", index=[3]))
        self.refuse("/outputs/x/point", "no point",
                    outputs=outputs(quantity="/points/position", point="Z", index=[0]))
        self.refuse("/outputs/x/take", "did you mean 'max'?",
                    outputs=outputs(quantity="/hinges/root/angle", take="mx"))
        self.refuse("/sections/ba/EI", "did you mean 'bar'?",
                    vary={"EI": {"at": "/sections/ba/EI", "values": [1]}})
        self.refuse("sweep.json:1:", "/vary/EI/at: /sections/bar/IE: unknown key",
                    "did you mean 'EI'?", vary={"EI": {"at": "/sections/bar/IE", "values": [1]}})
        self.refuse("/vary", "drawn at random",
                    vary={"EI": {"at": "/sections/bar/EI", "uniform": [1, 2]}})
        self.refuse("/vary", "has 2 values", design={"kind": "list"})
        self.refuse("/vary/EI/uniform", "low < high", design={"kind": "random", "samples": 2},
                    vary={"EI": {"at": "/sections/bar/EI", "uniform": [2, 1]}})
        self.refuse("/design/samples", "integer from 1",
                    design={"kind": "random", "samples": 0})
        self.refuse("/case", "no file", case="nothing.json")
        self.refuse("/vary/EI/at", "a JSON pointer into the case",
                    vary={"EI": {"at": "sections/bar/EI", "values": [1]}})
        endless = {**self.case, "analysis": {"statics": {}}}
        write_case(self.folder, endless, "endless.json")
        self.refuse("/analysis/end", "missing in the case", case="endless.json")
        self.refuse("/zzz", "unknown key", zzz=1)
        self.refuse("--shard", "i/n", arguments=["--shard", "4/3"])

    def test_refuses_the_journal_of_another_sweep(self):
        self.sweep(self.write())
        _, message = self.sweep(self.write(seed=5), code=4)
        self.assertIn("another sweep", message)

    def test_refuses_a_damaged_journal(self):
        """Its last line may be cut, where the sweep was killed; no other may."""
        path = self.write()
        whole, _ = self.sweep(path)
        self.sweep(path, "part.h5", "--shard", "1/2")
        journal = self.folder / "part.h5.samples.1of2"
        head, *lines = journal.read_bytes().splitlines(keepends=True)
        for bad in (b"nothing\n", lines[0][:10] + b"\n", lines[0].replace(b'"', b"'")):
            journal.write_bytes(head + bad + b"".join(lines[1:]))
            _, message = self.sweep(path, "part.h5", "--shard", "1/2", code=4)
            self.assertIn("is damaged at", message)
        journal.write_bytes(head + lines[0] + lines[1][:10])
        self.sweep(path, "part.h5", "--shard", "1/2")
        out, _ = self.sweep(path, "part.h5")
        self.assertEqual(out.read_bytes(), whole.read_bytes())

    def test_journal_that_cannot_be_written(self):
        for size in (10, 200):  # in its head, in a sample
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            done = subprocess.run(
                [FEM, "sweep", self.write(), "-o", self.folder / f"{size}.h5", "--quiet"],
                preexec_fn=limit, text=True, capture_output=True)
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("cannot be written", done.stderr)
            self.assertNotIn("defect", done.stderr)

    def test_task_files_that_cannot_be_written(self):
        for option in ("--slurm", "--hyperqueue"):
            missing = self.folder / "no such folder" / "job"
            _, message = self.sweep(self.drawn(), "out.h5", "--shards", 3, option, missing, code=4)
            self.assertIn(f"'{missing}' cannot be written", message)

    def test_task_files(self):
        path = self.drawn()
        tasks, job = self.folder / "tasks.txt", self.folder / "job.sh"
        self.sweep(path, "out.h5", "--shards", 3, "--hyperqueue", tasks, "--slurm", job)
        lines = tasks.read_text().splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn("--array=1-3", job.read_text())
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "fem").symlink_to(FEM)
        environment = {"PATH": f"{bin_folder}:/usr/bin:/bin"}
        for line in lines[:2]:
            subprocess.run(line, shell=True, check=True, env=environment)
        subprocess.run(["sh", job], check=True, env={**environment, "SLURM_ARRAY_TASK_ID": "3"})
        self.assertEqual(len(list(self.folder.glob("out.h5.samples.*of3"))), 3)
        out, _ = self.sweep(path)
        whole, _ = self.sweep(path, "whole.h5")
        self.assertEqual(out.read_bytes(), whole.read_bytes())

    def test_shipped_sweeps_run(self):
        for path in sorted((CASES / "sweeps").glob("*.sweep.jsonc")):
            with self.subTest(sweep=path.name):
                out, _ = self.sweep(path, path.stem + ".h5")
                self.assertTrue((self.read(out)["status"] == 1).all())


if __name__ == "__main__":
    unittest.main()
