"""How long propagation takes on all of MeSH, for growing tables of judgements.

In: nothing.  Out: CPU milliseconds, the median of repeated runs, as a table.

    python -m bench.propagation
"""

import statistics
import time

import numpy as np

from dlp.knowledge.mesh import load_mesh
from dlp.knowledge.propagation import propagate
from dlp.knowledge.sensitivity import load_sensitivity, mesh_graph

FIVE = {"Infections": 0.2, "Arthritis": 0.5, "Sarcoma": 0.9, "Cough": 0.3, "Anemia": 0.6}
RUNS = 9


def random_table(size, mesh, graph):
    chance = np.random.default_rng(size)
    expert = {}
    chosen = chance.choice(len(mesh), size, replace=False).tolist()
    for node in sorted(chosen, key=lambda node: graph.levels[node]):
        floor = max((expert[a] for a in mesh.ancestors(node).tolist() if a in expert), default=0.0)
        expert[node] = floor + (1 - floor) * float(chance.random()) ** 3
    return expert


def median_ms(graph, expert):
    times = []
    for _ in range(RUNS):
        began = time.process_time()
        propagate(graph, expert)
        times.append(time.process_time() - began)
    return statistics.median(times) * 1000


def main():
    mesh = load_mesh()
    graph = mesh_graph(mesh)
    bundled = {mesh.index(c): j.value for c, j in load_sensitivity().judgements.items()}
    tables = {
        "the paper's five values": {mesh.find(n)[0]: v for n, v in FIVE.items()},
        "the bundled table": bundled,
        **{f"{n:,} random values": random_table(n, mesh, graph) for n in (300, 1500, 6000)},
    }
    child, _ = graph.edges
    print(f"{len(mesh):,} concepts, {len(child):,} edges")
    print("| table | values | CPU ms |\n|---|---|---|")
    for name, expert in tables.items():
        print(f"| {name} | {len(expert):,} | {median_ms(graph, expert):.1f} |")


if __name__ == "__main__":
    main()
