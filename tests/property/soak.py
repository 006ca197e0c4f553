"""Examines many random models; scripts/soak calls it.

    soak.py FOLDER NUMBER FIRST
"""

import collections
import copy
import json
import pathlib
import signal
import sys
import tempfile
import time

from examination import Examination, Run
from generator import random_model

LONGER = 20  # times as long a run must not take more memory
ALLOWED_GROWTH = 3e6  # bytes: rows that wait to be written


def growth(case):
    """Bytes that a run of LONGER times the length takes more; None where it does not end well."""
    peaks = []
    for factor in (1, LONGER):
        longer = copy.deepcopy(case)
        longer["analysis"]["end"] *= factor
        longer["analysis"]["output"]["every"] = longer["analysis"]["end"] / 10
        with tempfile.TemporaryDirectory() as folder:
            run = Run(longer, folder)
        if run.code != 0:
            return None
        peaks.append(run.memory)
    return peaks[1] - peaks[0]


def catch_interrupts():
    """Ctrl-C and kill end the soak with its summary; answers whether one has come."""
    came = []
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: came.append(1))
    return lambda: bool(came)


def main():
    is_interrupted = catch_interrupts()
    folder, number, first = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    folder.mkdir(parents=True, exist_ok=True)
    codes, reasons, compared = (collections.Counter() for _ in range(3))
    faulty, open_ledgers, peak, grown = [], 0, 0, []
    begin = time.monotonic()
    for seed in range(first, first + number):
        if is_interrupted():
            number = seed - first
            break
        case = random_model(seed)
        result = Examination(case)
        codes[result.code] += 1
        compared.update(result.compared)
        open_ledgers += result.open_ledger
        peak = max(peak, result.memory)
        if result.reason:
            reasons[result.reason] += 1
        if (seed - first) % 50 == 0 and (more := growth(case)) is not None:
            grown.append(more)
            if more > ALLOWED_GROWTH:
                result.faults.append(f"memory grows by {more / 1e6:.1f} MB")
        if result.faults:
            faulty.append(seed)
            (folder / f"{seed}.json").write_text(json.dumps(case, indent=1))
            print(f"seed {seed}: {'; '.join(result.faults)}", flush=True)
    print(f"models            {number}, seeds {first} to {first + number - 1}, in "
          f"{time.monotonic() - begin:.0f} s")
    print(f"exit codes        {dict(codes)}")
    for reason, count in reasons.most_common():
        print(f"  {count:4d} times       {reason}")
    print(f"compared          {dict(compared)}")
    print(f"open ledgers      {open_ledgers}, each with a warning")
    print(f"peak memory       {peak / 1e6:.1f} MB")
    if grown:
        print(f"runs {LONGER} times as long take {min(grown) / 1e6:.1f} to "
              f"{max(grown) / 1e6:.1f} MB more ({len(grown)} models)")
    print(f"faults            {len(faulty)}")
    sys.exit(1 if faulty else 0)


if __name__ == "__main__":
    main()
