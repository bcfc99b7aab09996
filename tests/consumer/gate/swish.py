"""swish as LibTorch's compiler makes it of its formula."""

import torch


def program(count, device):
    """Returns the function to compile, normal inputs to tune it on, and Inductor's settings."""

    def swish(x):
        return x * torch.sigmoid(x)

    return swish, (torch.randn(count, device=device),), {}
