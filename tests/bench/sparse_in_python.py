"""The sparse family's operations, as PyTorch's benchmark of semi-structured sparsity does them.

It writes products of integers as int8, ours are int32.
"""

import re

from side_by_side import DTYPES

import torch


def sparse_work(key):
    """The operation of sparse/FUNCTION/SET/DTYPE/SHAPE/BACKEND."""
    from torch.sparse import SparseSemiStructuredTensor, to_sparse_semi_structured

    _, function, shapes, dtype_name, shape, backend = key.split("/")
    sizes = [int(digits) for digits in re.findall(r"\d+", shape)]
    m, k, n = {"bert": lambda: (*sizes, 16384),
               "fixed_k": lambda: (sizes[0], 10240, sizes[0]),
               "fixed_mn": lambda: (10240, sizes[0], 10240)}[shapes]()
    dtype = DTYPES[dtype_name]

    def random_values(*shape):
        if dtype == torch.int8:
            signs = torch.randint(0, 2, shape, device="cuda", dtype=dtype) * 2 - 1
            return torch.randint(1, 9, shape, device="cuda", dtype=dtype) * signs
        return torch.randn(*shape, device="cuda").to(dtype)

    first = torch.rand(m, k // 2, device="cuda") < 0.5
    a = random_values(m, k) * torch.stack([first, ~first], -1).view(m, k)
    SparseSemiStructuredTensor._FORCE_CUTLASS = backend == "cutlass"
    weights = a if backend == "dense" else to_sparse_semi_structured(a)
    if function == "tensor":
        b = random_values(n, k).t() if dtype == torch.int8 else random_values(k, n)
        if backend == "dense" and dtype == torch.int8:
            return lambda: torch._int_mm(a, b)
        return lambda: torch.mm(weights, b)
    if dtype == torch.int8:
        raise NotImplementedError("a Linear layer of integers does not exist in Python")
    layer = torch.nn.Linear(k, m).cuda().to(dtype).eval()
    layer.weight = torch.nn.Parameter(weights, requires_grad=False)
    x = random_values(n, k)
    return lambda: layer(x)
