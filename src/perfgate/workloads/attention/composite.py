"""The compiled composite attention: projection, scaled_dot_product_attention, projection back."""

import torch


def program(batch, heads, length, width, variant, device):
    """Returns the function to compile, normal inputs to tune it on, and Inductor's settings."""
    dtype = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}[variant]
    sizes = [(batch, length, width), (3 * width, width), (3 * width,), (width, width), (width,)]
    inputs = tuple(torch.randn(*size, device=device, dtype=dtype)
                   / (size[1] ** 0.5 if len(size) == 2 else 1) for size in sizes)
    functional = torch.nn.functional

    def composite(x, in_weight, in_bias, out_weight, out_bias):
        parts = functional.linear(x, in_weight, in_bias).chunk(3, -1)
        query, key, value = (part.view(batch, length, heads, width // heads).transpose(1, 2)
                             for part in parts)
        mixed = functional.scaled_dot_product_attention(query, key, value)
        return functional.linear(mixed.transpose(1, 2).reshape(batch, length, width),
                                 out_weight, out_bias)

    return composite, inputs, {}
