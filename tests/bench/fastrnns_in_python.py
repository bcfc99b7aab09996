"""The fastrnns family's networks, as PyTorch's benchmark trains them.

torchvision is not at hand everywhere: its ResNets are written here from the same layers.
"""

import sys

from side_by_side import ROOT

import torch
from torch import Tensor, nn

sys.path.insert(0, str(ROOT / "src/perfgate/workloads/fastrnns"))
from resnet import CLASSES, blocks_of, layers_of  # noqa: E402

in_training = torch.inference_mode(False)


def cell(x, h, c, w_x, w_h, b_x, b_h):
    gates = torch.mm(x, w_x.t()) + torch.mm(h, w_h.t()) + b_x + b_h
    i, f, g, o = gates.chunk(4, 1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


scripted_cell = torch.jit.script(cell)


def by_steps(x, h, c, w_x, w_h, b_x, b_h):
    """One layer in a loop of cells, eagerly."""
    outputs = []
    for step in x.unbind(0):
        h, c = cell(step, h, c, w_x, w_h, b_x, b_h)
        outputs.append(h)
    return torch.stack(outputs)


@torch.jit.script
def jit(x: Tensor, h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, b_x: Tensor, b_h: Tensor):
    outputs: list[Tensor] = []
    for step in x.unbind(0):
        h, c = scripted_cell(step, h, c, w_x, w_h, b_x, b_h)
        outputs.append(h)
    return torch.stack(outputs), h, c


@torch.jit.script
def jit_premul(x: Tensor, h: Tensor, c: Tensor, w_x: Tensor, w_h: Tensor, b_x: Tensor, b_h: Tensor):
    outputs: list[Tensor] = []
    for of_x in torch.matmul(x, w_x.t()).unbind(0):
        i, f, g, o = (of_x + torch.mm(h, w_h.t()) + b_x + b_h).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        outputs.append(h)
    return torch.stack(outputs), h, c


def lstm_of(shape, runner):
    """Forward of an LSTM of one of these runners, and what it trains."""
    steps, batch, inputs, units = (int(size) for size in shape.split("x")[:4])
    layers = int(shape.split("x")[4]) if shape.count("x") == 4 else 1
    x = torch.randn(steps, batch, inputs, device="cuda", requires_grad=True)
    states = torch.randn(2, layers, batch, units, device="cuda").unbind(0)
    lstm = nn.LSTM(inputs, units, layers, dropout=0.4 if runner == "cudnn_dropout" else 0).cuda()
    trained = [x, *lstm.parameters()]
    if runner in ("cudnn", "cudnn_dropout"):
        return lambda: lstm(x, states)[0], trained
    if runner == "aten":
        def without_cudnn():
            with torch.backends.cudnn.flags(enabled=False):
                return lstm(x, states)[0]
        return without_cudnn, trained
    if runner == "vl_cudnn":
        least = 3 * steps // 10
        sequences = [torch.randn(least + place * 37 % batch * (steps - least) // batch, inputs, device="cuda",
                                 requires_grad=True) for place in range(batch)]

        def packed():
            given = nn.utils.rnn.pack_sequence(sequences, enforce_sorted=False)
            return nn.utils.rnn.pad_packed_sequence(lstm(given, states)[0])[0]
        return packed, sequences + trained[1:]
    loops = {"py": by_steps, "jit": lambda *given: jit(*given)[0], "jit_premul": lambda *given: jit_premul(*given)[0]}
    w_x, w_h, b_x, b_h = lstm.parameters()
    return lambda: loops[runner](x, states[0][0], states[1][0], w_x, w_h, b_x, b_h), trained


def convolution(inputs, outputs, size, stride):
    return nn.Sequential(nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs))


class Block(nn.Module):
    def __init__(self, convolutions, projection):
        super().__init__()
        self.convolutions = nn.ModuleList(convolution(*layer) for layer in convolutions)
        self.projection = convolution(*projection) if projection else nn.Identity()
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        out = x
        for place, layer in enumerate(self.convolutions):
            out = layer(out)
            if place + 1 < len(self.convolutions):
                out = self.relu(out)
        out += self.projection(x)
        return self.relu(out)


def resnet_of(depth, precision, shape, channels_last, traced):
    """Forward of a ResNet, and what it trains."""
    blocks = [layers_of(depth, *block) for block in blocks_of(depth)]
    network = nn.Sequential(convolution(3, 64, 7, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1),
                            *(Block(*block) for block in blocks), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                            nn.Linear(blocks[-1][0][-1][1], CLASSES)).cuda()
    x = torch.randn(*map(int, shape.split("x")), device="cuda")
    if channels_last:
        network, x = network.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    trained = list(network.parameters())
    if traced:
        network = torch.jit.trace(network, x, check_trace=False)

    def forward():
        with torch.autocast("cuda", torch.bfloat16, enabled=precision == "bf16_autocast"):
            return network(x)
    return forward, trained


@in_training
def training_work(key):
    """Forward and backward of a case of fastrnns."""
    parts = key.split("/")
    if parts[1] == "lstm":
        forward, trained = lstm_of(parts[3], parts[4])
    else:
        forward, trained = resnet_of(int(parts[1].removeprefix("resnet")), parts[2], parts[3],
                                     "channels_last" in parts, "traced" in parts)
    forward = in_training(forward)
    step = {}

    @in_training
    def before_backward():
        step["output"] = forward()
        step.setdefault("gradient", torch.randn_like(step["output"]))
        for leaf in trained:
            if leaf.grad is not None:
                leaf.grad.zero_()

    @in_training
    def backward():
        step["output"].backward(step["gradient"])

    for _ in range(4):  # a script is watched and compiled
        before_backward()
        backward()
    return {"forward": (forward, None), "backward": (backward, before_backward)}


RUNNERS = ("cudnn", "cudnn_dropout", "aten", "py", "vl_cudnn", "jit", "jit_premul")


def has_training_work(key):
    """Whether Python has a counterpart: of scripts as LibTorch comes, of a package none that trains."""
    parts = key.split("/")
    scripted_otherwise = parts[-1] != "te_profiling" and parts[-1].endswith(("_profiling", "_simple", "_legacy"))
    is_resnet = parts[1].startswith("resnet") and parts[-1] != "compiled"
    return parts[0] == "fastrnns" and not scripted_otherwise and (is_resnet or parts[4] in RUNNERS)
