"""An LSTM's forward of one layer, step by step as run_loop of lstm_network.cpp."""

import torch


def program(steps, batch, inputs, units, device):
    """Returns the function to compile, normal inputs to tune it on, and Inductor's settings."""
    sizes = [(steps, batch, inputs), (1, batch, units), (1, batch, units), (4 * units, inputs),
             (4 * units, units), (4 * units,), (4 * units,)]
    tensors = tuple(torch.randn(*size, device=device) / (units ** 0.5 if place > 2 else 1)
                    for place, size in enumerate(sizes))

    def lstm(x, h, c, w_x, w_h, b_x, b_h):
        h, c = h[0], c[0]
        outputs = []
        for step in x.unbind(0):
            gates = step @ w_x.t() + h @ w_h.t() + b_x + b_h
            i, f, g, o = gates.chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            outputs.append(h)
        return torch.stack(outputs), h.unsqueeze(0), c.unsqueeze(0)

    return lstm, tensors, {}
