#include "perfgate/workloads/language_models/experts.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

namespace perfgate::language_models {
namespace {

// `x`: [networks, inputs], a row for each network; gives [networks, outputs].
at::Tensor by_each(const Linear& networks, const at::Tensor& x) {
  const auto out = at::matmul(networks.weight.to(x.scalar_type()), x.unsqueeze(-1)).squeeze(-1);
  return networks.scales.defined() ? out * networks.scales : out;
}

// Of each token the experts `taken`, where none of them scores lower than the slack allows below
// the last of the best; else the best.
at::Tensor near_best(const at::Tensor& taken, const at::Tensor& best, const at::Tensor& scores,
                     double slack) {
  const auto least = [&scores](const at::Tensor& which) {
    return scores.gather(-1, which).amin(-1, /*keepdim=*/true);
  };
  const auto size = scores.square().mean(-1, /*keepdim=*/true).sqrt();
  return at::where(least(taken) >= least(best) - slack * size, taken, best);
}

FeedForward one_of(const FeedForward& networks, std::int64_t which) {
  const auto of = [which](const Linear& all) {
    return Linear{all.weight[which], all.scales.defined() ? all.scales[which] : all.scales};
  };
  return {of(networks.gate), of(networks.up), of(networks.down)};
}

}  // namespace

Choice Experts::choose(const at::Tensor& x, Routes* routes) const {
  const auto wide = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  const auto scores = at::linear(x, score).to(wide);
  const auto shares = scores.softmax(-1);
  auto [best, which] = shares.topk(chosen, -1);
  if (routes != nullptr) {
    which = near_best(routes->take(which), which, scores, routes->slack());
    best = shares.gather(-1, which);
  }
  return {which, (best / best.sum(-1, /*keepdim=*/true)).to(x.scalar_type())};
}

at::Tensor Experts::operator()(const at::Tensor& x, Routes* routes) const {
  const auto choice = choose(x, routes);
  const auto which = choice.experts.flatten();
  const auto inputs = x.repeat_interleave(chosen, 0);  // a row for each token and its expert
  const auto inside = at::silu(by_each(chosen_of(all.gate, which), inputs)) *
                      by_each(chosen_of(all.up, which), inputs);
  const auto outputs = by_each(chosen_of(all.down, which), inside).view({-1, chosen, x.size(1)});
  return (outputs * choice.shares.unsqueeze(-1)).sum(1);
}

at::Tensor exact(const Experts& experts, const at::Tensor& x, Routes* routes) {
  const Experts choosing{experts.score.to(at::kDouble), {}, experts.chosen};
  const auto choice = choosing.choose(x, routes);
  at::Tensor out = at::zeros_like(x);
  for (std::int64_t i = 0; i < experts.score.size(0); ++i) {
    const auto share = (choice.shares * choice.experts.eq(i)).sum(-1, /*keepdim=*/true);
    out += exact(one_of(experts.all, i))(x) * share;
  }
  return out;
}

}  // namespace perfgate::language_models
