"""The compiled gemv: W[D, D] cast to bf16 times x[D]."""

import torch


def program(variant, width, device):
    """Returns the function to compile, normal inputs to tune it on, and Inductor's settings."""
    dtype = {"int8": torch.int8, "bf16": torch.bfloat16}[variant]
    weights = torch.randn(width, width, device=device).to(dtype)
    x = torch.randn(width, device=device, dtype=torch.bfloat16)

    def gemv(weights, x):
        return weights.to(x.dtype) @ x

    # Tuned on these inputs: Inductor's own are zeros where they are integers.
    settings = {"coordinate_descent_tuning": True, "triton.autotune_at_compile_time": False}
    return gemv, (weights, x), settings
