"""The architecture's check, on a tree that breaks each of its rules once."""

import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "cmake"))

import check_layers  # noqa: E402


class Planted(unittest.TestCase):
    def setUp(self):
        self.tree = check_layers.Tree(HERE / "planted")

    def test_each_rule_is_broken_once_and_named(self):
        self.assertEqual(
            sorted(self.tree.complaints()),
            [
                "a circle of includes: src/perfgate/stats/one.h -> src/perfgate/stats/two.h -> "
                "src/perfgate/stats/one.h",
                "fixtures/beside.cpp: fmt/format.h beside LibTorch, which brings another",
                "src/perfgate/attic/anything.cpp: no layer attic is known to cmake/check_layers.py",
                "src/perfgate/core/upward.h: core must not include perfgate/report/table.h",
                "src/perfgate/homeless.h: in no layer",
                "src/perfgate/measure/relative.cpp: measure must not include ../gate/verdict.h",
                "src/perfgate/measure/verdict.cpp: measure must not include "
                "perfgate/gate/verdict.h",
                "src/perfgate/report/torch.cpp: report includes CUDA's cuda_runtime.h",
                "src/perfgate/report/torch.cpp: report includes LibTorch's ATen/core/Tensor.h",
                "src/perfgate/run/machine/upward.h: run/machine must not include "
                "perfgate/run/night/night_run.h",
                "src/perfgate/stats/for_tests.cpp: stats includes fixtures/beside.h, which is for "
                "tests",
                "src/perfgate/stats/later.cpp: must include later.h first",
                "src/perfgate/workloads/tensors.h: fmt/format.h beside LibTorch, which brings "
                "another",
                "src/perfgate/workloads/tensors.h: fmt/format.h in a header",
            ],
        )

    def test_the_drawing_has_an_arrow_for_each_pair_of_layers(self):
        arrows = [line for line in check_layers.drawing(self.tree).splitlines() if "->" in line]
        self.assertEqual(
            arrows,
            ['  "attic" -> "core";', '  "core" -> "report";', '  "measure" -> "gate";',
             '  "run/machine" -> "run/night";'],
        )


class Table(unittest.TestCase):
    def test_allowed_edges_make_no_circle(self):
        check_layers.graphlib.TopologicalSorter(check_layers.ALLOWED).prepare()

    def test_every_allowed_edge_is_needed(self):
        needed = set(check_layers.Tree(HERE.parents[2]).edges())
        allowed = {(one, other) for one, others in check_layers.ALLOWED.items() for other in others}
        self.assertEqual(allowed - needed, set())

    def test_measuring_and_judging_do_not_see_each_other(self):
        measuring = {"measure", "workloads", "backends", "worker", "packages"}
        judging = {"baseline", "gate", "report"} | {
            layer for layer in check_layers.ALLOWED if layer.startswith("run/")}
        for layers, others in ((measuring, judging), (judging | {"core", "model", "stats"}, measuring)):
            for layer in layers:
                self.assertTrue(others.isdisjoint(check_layers.ALLOWED[layer]), layer)


if __name__ == "__main__":
    unittest.main()
