"""The attention family's operations, as PyTorch's sdp benchmark does them.

Nested rows are drawn by another generator than ours, and are about as long.
"""

import random

from side_by_side import DTYPES

import torch


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
