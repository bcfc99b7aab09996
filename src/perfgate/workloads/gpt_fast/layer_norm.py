"""The compiled layer_norm over the last axis of x[4096, D] in bf16."""

import torch


def program(variant, width, device):
    """Returns the function to compile, normal inputs to tune it on, and Inductor's settings."""
    weight_dtype = {"bf16": torch.bfloat16, "fp32w": torch.float32}[variant]
    x = torch.randn(4096, width, device=device, dtype=torch.bfloat16)
    weight = torch.randn(width, device=device, dtype=weight_dtype)
    bias = torch.randn(width, device=device, dtype=weight_dtype)

    def layer_norm(x, weight, bias):
        return torch.nn.functional.layer_norm(x, (width,), weight, bias, 1e-5)

    return layer_norm, (x, weight, bias), {"coordinate_descent_tuning": True} if device == "cuda" else {}
