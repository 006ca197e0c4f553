"""What is demanded of a run of any model, whatever it is."""

import copy
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "driver"), str(HERE.parent / "regression")]

import transforms  # noqa: E402
from results import Results  # noqa: E402
from support import FEM  # noqa: E402
from test_invariances import Scales, scalars  # noqa: E402

LONGEST = 300  # s: what is not done then is counted, and not compared
INTERRUPTED = 130

LOCAL = 1e-8  # local tolerance of the default method
RESERVE = 100  # local errors of some thousand steps, most of which cancel
SHORTER = 0.3  # times the step, by which a method of order 2 has a tenth of the error
CONVERGENCE = 5

TRANSFORMS = {
    "turned": (lambda case: transforms.turn(case, 2.3), 1.0),
    "moved": (lambda case: transforms.move(case, [37.25, -12.5]), 1.0),
    "in another order": (transforms.reorder, 1.0),
    "in millimetres": (transforms.to_millimetres, transforms.MILLI),
}


class Run:
    """One run of a case: how it ended, what it said, what it took."""

    def __init__(self, case, folder):
        path, out = pathlib.Path(folder) / "case.json", pathlib.Path(folder) / "out.h5"
        out.unlink(missing_ok=True)
        path.write_text(json.dumps(case))
        with open(pathlib.Path(folder) / "messages", "w+", encoding="utf-8") as messages:
            process = subprocess.Popen([FEM, "run", path, "-o", out, "--threads", "1",
                                        "--wall-limit", str(LONGEST)],
                                       stdout=subprocess.DEVNULL, stderr=messages)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            messages.seek(0)
            self.messages = messages.read()
        self.code = process.returncode
        self.memory = usage.ru_maxrss * 1024  # bytes
        self.results = Results(out) if self.code == 0 else None

    def reason(self):
        """Of a refusal or a failure, without its numbers and names."""
        lines = [line for line in self.messages.splitlines()
                 if line.startswith("fem: ") and not line.startswith("fem: warning")]
        text = re.sub(r"^fem: \S+: ", "", lines[0]) if lines else self.messages
        return re.sub(r"'[^']*'|[-+]?\d[\d.e+-]*|/\S+", "#", text)[:100]


def shorter_steps(case):
    case = copy.deepcopy(case)
    method = case["analysis"].setdefault("method", {"kind": "arc_length"})
    if method["kind"] == "arc_length":
        method.update(local_tolerance=LOCAL / 100, frequency_limit=SHORTER)
    else:
        method.update(tolerance=method["tolerance"] / 100)
    return case


class Examination:
    """Runs a model and its transforms. `faults` is what must not be; empty: the model is good."""

    def __init__(self, case, with_transforms=True):
        self.faults = []
        self.reason = ""
        self.open_ledger = False
        self.compared = []
        with tempfile.TemporaryDirectory() as folder:
            run = Run(case, folder)
            self.code, self.memory = run.code, run.memory
            self.check_end(run)
            if run.code != 0:
                return
            self.check_results(run)
            if with_transforms:
                for name, (change, unit) in TRANSFORMS.items():
                    self.compare(case, run.results, name, change, unit, folder)

    def check_end(self, run):
        if run.code not in (0, 2, 3, INTERRUPTED):
            self.faults.append(f"exit code {run.code}: {run.messages[-300:]}")
        if "defect" in run.messages or "nan" in run.messages:
            self.faults.append(run.messages[-300:])
        if run.code != 0:
            self.reason = f"exit code {run.code}: {run.reason()}"
            if ";" not in run.messages:
                self.faults.append("no remedy: " + run.messages[-300:])

    def check_results(self, run):
        r = run.results
        for path, values in r.data.items():
            if np.issubdtype(values.dtype, np.floating) and not np.isfinite(values).all():
                self.faults.append(f"{path} is not finite")
        if not (np.diff(r.time) >= 0).all():
            self.faults.append("the time runs back")
        for what in ("worst_position_violation", "worst_velocity_violation"):
            if not r.summary[what] <= 1e-9:
                self.faults.append(f"{what} {r.summary[what]}")
        # The ledger is what the run says of it: a run with one that is open has warned.
        self.open_ledger = "the energy ledger does not close" in run.messages
        # And what it says is so: what the parts of the energy add up to is what came in.
        energy = r.energy() - r["energy/dissipated"][0]
        came = r["energy/external_work"] + r["energy/rheonomic_work"] - r["energy/dissipated"]
        balance = (energy - energy[0]) - (came - came[0])
        scale = max(abs(energy).max(), abs(came).max(), 1e-300)
        said = abs(r["energy/balance"]).max() + 1e-12 * scale
        if not abs(balance).max() <= 2 * said + 1e-9 * scale:
            self.faults.append(f"balance {abs(balance).max():.3g} J, said to be {said:.3g} J")

    def compare(self, case, reference, name, change, unit, folder):
        changed = copy.deepcopy(case)
        try:
            change(changed)
        except (AssertionError, KeyError):
            return  # the transform does not know something in it
        run = Run(changed, folder)
        if run.code == INTERRUPTED:
            return
        if run.code != 0:
            self.faults.append(f"{name}: exit code {run.code}: {run.messages[-300:]}")
            return
        self.compared.append(name)
        method = case["analysis"].get("method", {})
        tolerance = RESERVE * method.get("local_tolerance", method.get("tolerance", LOCAL))
        differences = self.differences(case, reference, scalars(run.results, unit))
        if max(differences.values()) <= tolerance:
            return
        # The same to the global error, which impacts and the choice of dependent coordinates make
        # larger than local ones? Then it goes with the square of the step.
        pair = [Run(shorter_steps(one), folder) for one in (case, changed)]
        if any(one.code != 0 for one in pair):
            self.faults.append(f"{name}, shorter steps: {[one.messages[-200:] for one in pair]}")
            return
        fine = self.differences(case, pair[0].results, scalars(pair[1].results, unit))
        for path, difference in fine.items():
            if not difference <= max(tolerance, differences[path] / CONVERGENCE):
                self.faults.append(f"{name}: {path} differs by {differences[path]:.3g}, with "
                                   f"shorter steps by {difference:.3g}")
                return

    def differences(self, case, reference, actual):
        """Of the scalars of two runs, in parts of their scales."""
        scales, expected = Scales(case, reference), scalars(reference, 1.0)
        # What strains of the local tolerance store, where nothing else moves.
        stiffest = max(section["EA"] for section in case["sections"].values())
        scales.energy = max(scales.energy, stiffest * scales.size * LOCAL**2)
        result = {}
        for path, values in actual.items():
            scale = scales.of(path)
            error = abs(values - expected[path]).max() / scale if scale > 0 else 0.0
            result[path] = math.inf if math.isnan(error) else error
        return result
