"""The compiled gather_gemv: two experts of W[8, D, D], cast to bf16, times x[D]."""

import torch


def program(variant, width, device):
    """Returns the function to compile, normal inputs to tune it on, and Inductor's settings."""
    dtype = {"int8": torch.int8, "bf16": torch.bfloat16}[variant]
    weights = torch.randn(8, width, width, device=device).to(dtype)
    chosen = torch.tensor([3, 5], device=device)
    x = torch.randn(width, device=device, dtype=torch.bfloat16)

    def gather_gemv(weights, chosen, x):
        return weights[chosen].to(x.dtype) @ x

    # Tuned on these inputs: on Inductor's own, zeros, both experts are the same, and half of them is
    # in the L2.
    settings = {"coordinate_descent_tuning": True, "triton.autotune_at_compile_time": False}
    return gather_gemv, (weights, chosen, x), settings
