"""A ResNet's forward, batch normalisation as in training, layer by layer as resnet_network.cpp."""

import torch

functional = torch.nn.functional
CLASSES = 1000


def blocks_of(depth):
    """(inputs, width, outputs, stride) of each block."""
    inputs = 64
    for stage, count in enumerate({18: (2, 2, 2, 2), 50: (3, 4, 6, 3)}[depth]):
        width = 64 << stage
        outputs = 4 * width if depth == 50 else width
        for place in range(count):
            yield inputs, width, outputs, 2 if stage > 0 and place == 0 else 1
            inputs = outputs


def layers_of(depth, inputs, width, outputs, stride):
    """(inputs, outputs, size, stride) of a block's convolutions, and of its projection or None."""
    if depth == 50:
        convolutions = [(inputs, width, 1, 1), (width, width, 3, stride), (width, outputs, 1, 1)]
    else:
        convolutions = [(inputs, width, 3, stride), (width, outputs, 3, 1)]
    projected = stride != 1 or inputs != outputs
    return convolutions, (inputs, outputs, 1, stride) if projected else None


def program(depth, batch, side, device):
    """Returns the function to compile, normal inputs to tune it on, and Inductor's settings."""
    blocks = [layers_of(depth, *block) for block in blocks_of(depth)]
    stem = (3, 64, 7, 2)

    def tensors_of(layer):  # weight, scale, shift, running mean and variance
        inputs, outputs, size, _ = layer
        weight = torch.randn(outputs, inputs, size, size) * (2 / (outputs * size * size)) ** 0.5
        return [weight, torch.ones(outputs), torch.zeros(outputs), torch.zeros(outputs),
                torch.ones(outputs)]

    tensors = [torch.randn(batch, 3, side, side), *tensors_of(stem)]
    for convolutions, projection in blocks:
        for layer in convolutions + ([projection] if projection else []):
            tensors += tensors_of(layer)
    features = blocks[-1][0][-1][1]
    tensors += [torch.randn(CLASSES, features) / features ** 0.5, torch.randn(CLASSES)]

    def resnet(*given):
        rest = iter(given)

        def run(x, layer):
            weight, scale, shift, mean, variance = (next(rest) for _ in range(5))
            _, _, size, stride = layer
            x = functional.conv2d(x, weight, None, stride, size // 2)
            return functional.batch_norm(x, mean, variance, scale, shift, True, 0.1, 1e-5)

        x = functional.relu(run(next(rest), stem))
        x = functional.max_pool2d(x, 3, 2, 1)
        for convolutions, projection in blocks:
            out = x
            for place, layer in enumerate(convolutions):
                out = run(out, layer)
                if place + 1 < len(convolutions):
                    out = functional.relu(out)
            x = functional.relu(out + (run(x, projection) if projection else x))
        x = functional.adaptive_avg_pool2d(x, 1).flatten(1)
        return functional.linear(x, next(rest), next(rest))

    return resnet, tuple(tensor.to(device) for tensor in tensors), {}
