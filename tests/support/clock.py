"""How little processor time something takes: a busy machine makes one run dear, hardly three."""

import time


def least_cpu(work, times=3):
    """The cheapest of some runs, in CPU seconds."""
    spent = []
    for _ in range(times):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return min(spent)
