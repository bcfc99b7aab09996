#!/usr/bin/env python3
"""Are the eager cases of sparse and attention as fast as the same operations from Python, on this GPU, now?

Python's side does what PyTorch's own benchmarks of semi-structured sparsity and of attention time: a product
with a SparseSemiStructuredTensor, a Linear layer with such weights, MultiheadAttention, and its composition
from scaled_dot_product_attention. It writes integer sparse products as int8, ours as int32; its nested rows
are about as long as ours, and padded rows cost its MultiheadAttention host time.

usage: against_seeds.py BUILD [--case=GLOB] [--workers=N]
"""

import argparse
import fnmatch
import pathlib
import random
import re
import subprocess

from side_by_side import HEADING, print_row

import torch

DTYPES = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32, "int8": torch.int8}


def sparse_work(key):
    """The operation of sparse/FUNCTION/SET/DTYPE/SHAPE/BACKEND."""
    from torch.sparse import SparseSemiStructuredTensor, to_sparse_semi_structured

    _, function, shapes, dtype_name, shape, backend = key.split("/")
    sizes = [int(digits) for digits in re.findall(r"\d+", shape)]
    m, k, n = {"bert": lambda: (*sizes, 16384),
               "fixed_k": lambda: (sizes[0], 10240, sizes[0]),
               "fixed_mn": lambda: (10240, sizes[0], 10240)}[shapes]()
    dtype = DTYPES[dtype_name]

    def random(*shape):
        if dtype == torch.int8:
            signs = torch.randint(0, 2, shape, device="cuda", dtype=dtype) * 2 - 1
            return torch.randint(1, 9, shape, device="cuda", dtype=dtype) * signs
        return torch.randn(*shape, device="cuda").to(dtype)

    first = torch.rand(m, k // 2, device="cuda") < 0.5
    a = random(m, k) * torch.stack([first, ~first], -1).view(m, k)
    SparseSemiStructuredTensor._FORCE_CUTLASS = backend == "cutlass"
    weights = a if backend == "dense" else to_sparse_semi_structured(a)
    if function == "tensor":
        b = random(n, k).t() if dtype == torch.int8 else random(k, n)
        if backend == "dense" and dtype == torch.int8:
            return lambda: torch._int_mm(a, b)
        return lambda: torch.mm(weights, b)
    if dtype == torch.int8:
        raise NotImplementedError("a Linear layer of integers does not exist in Python")
    layer = torch.nn.Linear(k, m).cuda().to(dtype).eval()
    layer.weight = torch.nn.Parameter(weights, requires_grad=False)
    x = random(n, k)
    return lambda: layer(x)


def batch_of(batch, length, width, dtype, nested):
    """[batch, length, width], or nested rows of which nine tenths are padding but in one."""
    if not nested:
        return torch.randn(batch, length, width, device="cuda", dtype=dtype)
    random.seed(123)
    lengths = [int(length * (1 - random.gauss(0.9, 0.01))) for _ in range(batch)]
    lengths[random.randint(0, batch - 1)] = length
    return torch.nested.nested_tensor(
        [torch.randn(rows, width, device="cuda", dtype=dtype) for rows in lengths])


def attention_work(key):
    """The operation of attention/BATCHxHEADSxLENGTHxWIDTH/DTYPE[/nested]/WAY."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    parts = key.split("/")
    batch, heads, length, width = map(int, parts[1].split("x"))
    dtype, way = DTYPES[parts[2]], parts[-1]
    layer = torch.nn.MultiheadAttention(width, heads, batch_first=True).cuda().to(dtype).eval()
    x = batch_of(batch, length, width, dtype, "nested" in parts)
    fused = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION]
    backends = {"flash": fused[:1], "efficient": fused[1:2], "cudnn": fused[2:],
                "math": [SDPBackend.MATH]}.get(way, fused)

    def nn_mha():
        with sdpa_kernel(backends):
            return layer(x, x, x, need_weights=way == "nn_mha")[0]

    def composite():
        with sdpa_kernel(backends):
            projected = torch.nn.functional.linear(x, layer.in_proj_weight, layer.in_proj_bias)
            query, key, value = (part.view(batch, -1, heads, width // heads).transpose(1, 2)
                                 for part in projected.chunk(3, -1))
            mixed = torch.nn.functional.scaled_dot_product_attention(query, key, value)
            return layer.out_proj(mixed.transpose(1, 2).reshape(batch, -1, width))

    return nn_mha if way.startswith("nn_mha") else composite


def has_counterpart(key):
    """Whether Python does the same work: the search and compiled code are another program's."""
    if key.startswith("attention/"):
        return not key.endswith("compiled")
    return key.startswith(("sparse/tensor/", "sparse/linear/")) and not key.endswith("_best")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--case", default="*")
    parser.add_argument("--workers", type=int, default=3)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    keys = subprocess.run([build / "bin/perfgate", "--list_cases", "--case=" + arguments.case],
                          capture_output=True, text=True, check=True).stdout.split()
    print(HEADING)
    for key in keys:
        if has_counterpart(key):
            work = attention_work if key.startswith("attention/") else sparse_work
            print_row(build, key, arguments.workers, work, key)


if __name__ == "__main__":
    main()
