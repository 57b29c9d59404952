"""Counting for categories as its definition says: one stratum after the other, one cell after the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product
from math import log

import numpy as np


def strata(codes, S):
    """The rows of each combination of levels of S that occurs."""
    found = defaultdict(list)
    for row in codes.tolist():
        found[tuple(row[s] for s in S)].append(row)
    return list(found.values())


def counted(codes, i, j, S, statistic="g2"):
    """Statistic, degrees of freedom and rows of the strata in which both columns vary."""
    total, freedom, informative = 0.0, 0, 0
    for rows in strata(codes, S):
        cells = Counter((row[i], row[j]) for row in rows)
        of_i, of_j = Counter(row[i] for row in rows), Counter(row[j] for row in rows)
        df = (len(of_i) - 1) * (len(of_j) - 1)
        freedom += df
        informative += len(rows) if df else 0
        for a, b in product(of_i, of_j):
            observed, expected = cells[a, b], of_i[a] * of_j[b] / len(rows)
            if statistic == "pearson":
                total += (observed - expected) ** 2 / expected
            elif observed:
                total += 2 * observed * log(observed / expected)
    return total, freedom, informative


def log_likelihood(codes, family):
    """The log-likelihood of a column with the observed shares of each stratum of its parents."""
    i, parents = family
    total = 0.0
    for rows in strata(codes, parents):
        for count in Counter(row[i] for row in rows).values():
            total += count * log(count / len(rows))
    return total


def random_codes(rng, n, levels):
    """Rows of dependent columns: each is now and then a function of the one before."""
    codes = np.column_stack([rng.integers(0, most, n) for most in levels])
    for k in range(1, len(levels)):
        copies = rng.random(n) < rng.choice([0.0, 0.4, 1.0], p=[0.4, 0.4, 0.2])
        codes[copies, k] = codes[copies, k - 1] % levels[k]
    return codes
