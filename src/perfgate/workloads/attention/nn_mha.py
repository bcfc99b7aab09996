"""The compiled nn.MultiheadAttention, which returns the attention weights too."""

import torch


def program(batch, heads, length, width, variant, device):
    """Returns the function to compile, normal inputs to tune it on, and Inductor's settings."""
    dtype = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}[variant]
    sizes = [(batch, length, width), (3 * width, width), (3 * width,), (width, width), (width,)]
    inputs = tuple(torch.randn(*size, device=device, dtype=dtype)
                   / (size[1] ** 0.5 if len(size) == 2 else 1) for size in sizes)

    def nn_mha(x, in_weight, in_bias, out_weight, out_bias):
        rows = x.transpose(0, 1)  # what the module does with batch_first
        out, weights = torch.nn.functional.multi_head_attention_forward(
            rows, rows, rows, width, heads, in_weight, in_bias, None, None, False, 0.0,
            out_weight, out_bias, training=False, need_weights=True)
        return out.transpose(0, 1), weights

    return nn_mha, inputs, {}
