"""A transformer's layer and its head, as transformer.cpp has them."""

import torch

functional = torch.nn.functional
HEAD_PARTS = 4
DTYPES = {"bf16": torch.bfloat16, "fp32": torch.float32, "int8": torch.int8}


def in_memory(x):
    """What a product reads, computed once. Inductor would compute it again for each row of weights; it
    writes what has strides of its own."""
    return x.as_strided(x.shape, x.stride())


def rms_norm(x, weight, epsilon):
    wide = x.float()
    return in_memory((wide * torch.rsqrt((wide * wide).mean(-1, keepdim=True) + epsilon)).to(x.dtype) * weight)


def gated(gate, up):
    return in_memory(functional.silu(gate) * up)


def best_of(scores, count):
    """The `count` highest of each row and where they are; a maximum at a time, which Inductor fuses where
    it calls a sort's kernels for topk."""
    positions = torch.arange(scores.shape[-1], device=scores.device)
    values, places = [], []
    for _ in range(count):
        value, place = scores.max(-1, keepdim=True)
        values.append(value)
        places.append(place)
        scores = scores.masked_fill(positions == place, -torch.inf)
    return torch.cat(values, -1), torch.cat(places, -1)


def rotate(x, angles):
    """x: [tokens, heads, head width], its values in pairs; angles: [tokens, pairs, 2]."""
    first, second = x.float().unflatten(-1, (-1, 2)).unbind(-1)
    cosine, sine = angles.float().unsqueeze(1).unbind(-1)
    turned = torch.stack((first * cosine - second * sine, second * cosine + first * sine), -1)
    return turned.flatten(-2).to(x.dtype)


def attend(queries, keys, values, visible):
    """Queries [tokens, heads, head width] over caches [kv heads, positions, head width]; in the
    operators of its formula, of which Inductor makes kernels that read only what is there."""
    tokens, heads, width = queries.shape
    kv_heads = keys.shape[0]
    grouped = queries.transpose(0, 1).reshape(kv_heads, -1, width)  # a group's tokens behind each other
    scores = (grouped @ keys.transpose(1, 2)).float() / width ** 0.5
    hidden = ~visible.repeat(heads // kv_heads, 1)
    shares = scores.masked_fill(hidden, -torch.inf).softmax(-1).to(values.dtype)
    return in_memory((shares @ values).view(heads, tokens, width).transpose(0, 1).flatten(1))


class Model:
    """The sizes of a model, how its weights are held, and what reads them."""

    def __init__(self, activations, weights, width, heads, kv_heads, hidden, vocabulary, experts, chosen,
                 norm_epsilon, positions, prompt, device):
        self.dtype, self.held = DTYPES[activations], DTYPES[weights]
        self.quantised = self.held != self.dtype
        self.width, self.heads, self.kv_heads, self.hidden = width, heads, kv_heads, hidden
        self.vocabulary, self.experts, self.chosen = vocabulary, experts, chosen
        self.positions, self.prompt, self.device = positions, prompt, device
        self.head_width, self.epsilon = width // heads, norm_epsilon

    def normal(self, *sizes):
        return torch.randn(*sizes, device=self.device).to(self.dtype)

    def matrix(self, *sizes):
        """Weights [..., outputs, inputs] and, where they are quantised, their scales."""
        values = torch.randn(*sizes, device=self.device) / sizes[-1] ** 0.5
        if not self.quantised:
            return [values.to(self.dtype)]
        scales = values.abs().amax(-1) / 127
        return [(values / scales.unsqueeze(-1)).round().to(torch.int8), scales.to(self.dtype)]

    def linear(self, x, given):
        out = functional.linear(x, next(given).to(x.dtype))
        return out * next(given) if self.quantised else out

    def linear_of_each(self, x, which, given):
        """A row of x for each network `which`."""
        out = (next(given)[which].to(x.dtype) @ x.unsqueeze(-1)).squeeze(-1)
        return out * next(given)[which] if self.quantised else out

    def networks(self):
        of = (self.experts,) if self.experts else ()
        tensors = [self.normal(self.experts, self.width) / self.width ** 0.5] if self.experts else []
        return (tensors + self.matrix(*of, self.hidden, self.width) + self.matrix(*of, self.hidden, self.width)
                + self.matrix(*of, self.width, self.hidden))

    def feed_forward(self, x, given):
        return self.linear(gated(self.linear(x, given), self.linear(x, given)), given)

    def mixture(self, x, given):
        """Also gives the experts that each token takes, [tokens, chosen]."""
        best, experts = best_of(functional.linear(x, next(given)).float().softmax(-1), self.chosen)
        shares = (best / best.sum(-1, keepdim=True)).to(x.dtype)
        which = experts.flatten()
        inputs = x.repeat_interleave(self.chosen, 0)
        inside = gated(self.linear_of_each(inputs, which, given), self.linear_of_each(inputs, which, given))
        outputs = self.linear_of_each(inside, which, given).view(-1, self.chosen, self.width)
        return (outputs * shares.unsqueeze(-1)).sum(1), experts

    def layer(self, x, indices, angles, visible, attention_norm, feed_forward_norm, keys, values, *weights):
        """Writes keys and values of these tokens in place."""
        given = iter(weights)
        parts = self.linear(rms_norm(x, attention_norm, self.epsilon), given).unflatten(-1, (-1, self.head_width))
        queries, new_keys, new_values = parts.split((self.heads, self.kv_heads, self.kv_heads), 1)
        keys.index_copy_(1, indices, rotate(new_keys, angles).transpose(0, 1))
        values.index_copy_(1, indices, new_values.transpose(0, 1))
        seen = attend(rotate(queries, angles), keys, values, visible)
        attended = x + self.linear(seen, given)
        normed = rms_norm(attended, feed_forward_norm, self.epsilon)
        if not self.experts:
            return attended + self.feed_forward(normed, given)
        mixed, experts = self.mixture(normed, given)
        return attended + mixed, experts

    def head(self, x, norm, *weights):
        return self.linear(rms_norm(x, norm, self.epsilon), iter(weights))

    def split_head(self, x, norm, *weights):
        """The head of each part of the vocabulary. Inductor fuses them: one kernel makes a score of each part at once."""
        normed = rms_norm(x, norm, self.epsilon)
        parts = zip(*(of_all.chunk(HEAD_PARTS) for of_all in weights))
        return torch.cat([self.linear(normed, iter(part)) for part in parts], -1)

    def layer_inputs(self, tokens):
        cache = (self.kv_heads, self.positions, self.head_width)
        indices = torch.arange(tokens, device=self.device)
        visible = indices.unsqueeze(1) >= torch.arange(self.positions, device=self.device)
        rows = (self.heads + 2 * self.kv_heads) * self.head_width
        return (self.normal(tokens, self.width), indices, self.normal(tokens, self.head_width // 2, 2), visible,
                self.normal(self.width), self.normal(self.width), self.normal(*cache), self.normal(*cache),
                *self.matrix(rows, self.width), *self.matrix(self.width, self.width), *self.networks())

    def head_inputs(self):
        return (self.normal(1, self.width), self.normal(self.width), *self.matrix(self.vocabulary, self.width))


def programs(**arguments):
    """Returns, by name, the functions to compile, normal inputs to tune them on, and Inductor's settings."""
    model = Model(**arguments)
    # Tuned on these inputs: Inductor's own are zeros where they are integers.
    settings = {"coordinate_descent_tuning": True, "triton.autotune_at_compile_time": False}
    made = {"layer_of_token": (model.layer, model.layer_inputs(1), settings),
            "layer_of_prompt": (model.layer, model.layer_inputs(model.prompt), settings),
            "head": (model.head, model.head_inputs(), settings)}
    if str(model.device).startswith("cuda"):  # of graphs alone
        made["split_head"] = (model.split_head, model.head_inputs(), settings)
    return made
