"""The compiled cases of language_models in Python: torch.compile of the family's own layer and head, with the same
settings; a step is queued kernel by kernel or replayed as a CUDA graph, as the case says."""

import sys

from side_by_side import ROOT

import torch

sys.path.insert(0, str(ROOT / "src/perfgate/workloads/language_models"))
from language_model import Model, programs  # noqa: E402

LAYERS = {"llama2_7b": 32, "mixtral_8x7b": 16}
TOKENS = 16  # that a sample of decode makes
TEMPERATURE, BEST = 0.8, 200


def draw(logits):
    """One of the best tokens, [1], by its probability, without the host."""
    logits = logits / TEMPERATURE
    worst = logits.topk(BEST).values[-1]
    probabilities = logits.masked_fill(logits < worst, -torch.inf).softmax(-1)
    return (probabilities / torch.empty_like(probabilities).exponential_(1)).argmax(-1, keepdim=True)


class Generator:
    """A model with random weights, the same for every layer's program, and where it stands."""

    def __init__(self, arguments, layers):
        model = Model(**arguments)
        layer, _, settings = programs(**arguments)["layer_of_token"]
        # LibTorch 2.11 cannot use again the choice between two kernels that it bundled into its cache.
        options = {**settings, "bundle_triton_into_fx_graph_cache": False}
        self.layer = torch.compile(layer, dynamic=False, fullgraph=True, options=options)
        self.head = torch.compile(model.head, dynamic=False, fullgraph=True, options=options)
        self.embedding = model.normal(model.vocabulary, model.width)
        self.angles = model.normal(model.positions, model.head_width // 2, 2)
        self.visible = torch.ones(model.positions, model.positions, dtype=torch.bool, device=model.device).tril()
        self.of_layers = [model.layer_inputs(1)[4:] for _ in range(layers)]
        self.of_head = model.head_inputs()[1:]
        self.prompt = torch.arange(model.prompt, device=model.device)
        self.token, self.index = self.prompt[:1].clone(), self.prompt[:1].clone()

    def pass_over(self, tokens, indices):
        x, angles, visible = self.embedding[tokens], self.angles[indices], self.visible[indices]
        for inputs in self.of_layers:
            outputs = self.layer(x, indices, angles, visible, *inputs)
            x = outputs[0] if isinstance(outputs, tuple) else outputs
        self.token.copy_(draw(self.head(x[-1:], *self.of_head)[0]))

    def prefill(self):
        self.pass_over(self.prompt, self.prompt)
        self.index.fill_(len(self.prompt))

    def step(self):
        self.pass_over(self.token, self.index)
        self.index.add_(1)


def captured(work):
    """What replays it as a CUDA graph. It has run before: what it compiles and allocates is there."""
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


def generation_work(key, arguments):
    """Decode of a case of language_models and, unless it is a graph, prefill; `arguments`: of its package's programs."""
    _, model, _, execution = key.split("/")
    generator = Generator(arguments, LAYERS[model])
    generator.prefill()
    generator.step()
    is_graph = execution == "compiled_graph"
    step = captured(generator.step) if is_graph else generator.step

    def decode():
        for _ in range(TOKENS):
            step()

    if is_graph:  # a single phase has no name
        return {"": (decode, generator.prefill)}
    return {"prefill": (generator.prefill, None), "decode": (decode, generator.prefill)}
