"""Random models run or refuse with a reason, keep the ledger, and do not know axes, order or units.

scripts/soak examines as many as there is time for; here are a few.
"""

import unittest

from examination import Examination
from generator import random_model

SEEDS = range(10)


class RandomModels(unittest.TestCase):
    def test_a_few(self):
        compared = set()
        for seed in SEEDS:
            with self.subTest(seed=seed):
                result = Examination(random_model(seed))
                self.assertEqual(result.faults, [])
                self.assertEqual(result.code, 0, result.reason)
                compared.update(result.compared)
        self.assertEqual(len(compared), 4)

    def test_the_same_of_the_same_seed(self):
        self.assertEqual(random_model(7), random_model(7))
        self.assertNotEqual(random_model(7), random_model(8))


if __name__ == "__main__":
    unittest.main()
