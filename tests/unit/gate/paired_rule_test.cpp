// The stopping rule of a comparison: its arithmetic by hand, and its error probabilities by
// simulation, with priors fitted from the very cases that are judged, as a run fits them.

#include "perfgate/gate/paired_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "perfgate/stats/descriptive.h"
#include "perfgate/stats/student_t.h"

namespace perfgate {
namespace {

constexpr PairedRule kRule{1e-3, 0.99, 0.02};
// So well known that the variance of a few pairs is the prior's.
constexpr VariancePrior kOnePercent{1e-4, 1e9};

std::vector<double> pairs_around(double center, std::size_t count) {
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(center + (i % 2 == 0 ? 0.01 : -0.01));
  }
  return out;
}

PairedJudgement judged(double center, std::size_t look) {
  const auto looks = paired_looks(4, 16);
  const auto pairs = static_cast<std::size_t>(looks[look].pairs);
  return judge_pairs(pairs_around(center, pairs), kOnePercent, kRule, looks, look);
}

TEST(PairedLooks, DoubleThePairsUpToTheLimitAndSpendInProportion) {
  const auto looks = paired_looks(4, 16);
  ASSERT_EQ(looks.size(), 3);
  EXPECT_EQ(looks[0].pairs, 4);
  EXPECT_EQ(looks[1].pairs, 8);
  EXPECT_EQ(looks[2].pairs, 16);
  EXPECT_DOUBLE_EQ(looks[0].share, 0.25);
  EXPECT_DOUBLE_EQ(looks[1].share, 0.25);
  EXPECT_DOUBLE_EQ(looks[2].share, 0.5);
}

TEST(PairedLooks, OfAnyLimitEndThereAndSpendAllOfIt) {
  for (const int limit : {2, 3, 4, 5, 10, 100}) {
    const auto looks = paired_looks(4, limit);
    double spent = 0;
    for (const auto& look : looks) {
      spent += look.share;
    }
    EXPECT_EQ(looks.back().pairs, limit);
    EXPECT_NEAR(spent, 1, 1e-12) << limit;
  }
  EXPECT_EQ(paired_looks(4, 3).size(), 1);
}

// 4 pairs: SE 0.5 %; alpha a quarter of 1e-3, q = 3.48: 1.74 %, so that the tolerance decides.
TEST(JudgePairs, CallsSlowerWhatIsSlowerThanToleranceAndNoise) {
  const auto slower = judged(0.025, 0);
  EXPECT_EQ(slower.verdict, Verdict::kRegressed);
  EXPECT_TRUE(slower.decided);
  EXPECT_NEAR(slower.change, std::expm1(0.025), 1e-12);
  EXPECT_NEAR(slower.threshold, 0.02, 1e-12);
  EXPECT_EQ(judged(-0.025, 0).verdict, Verdict::kImproved);
  EXPECT_EQ(judged(0.018, 0).verdict, Verdict::kPass);
}

TEST(JudgePairs, NeedsNoiseToBeExceededToo) {
  const auto looks = paired_looks(4, 16);
  const auto judgement = judge_pairs(pairs_around(0.05, 4), {1e-2, 1e9}, kRule, looks, 0);
  EXPECT_EQ(judgement.verdict, Verdict::kPass);
  EXPECT_FALSE(judgement.decided);
  EXPECT_NEAR(judgement.threshold, std::expm1(student_t_quantile(2.5e-4, 1e9) * 0.05), 1e-6);
}

// z = 2.81 at a quarter of 1 %: 1.40 %.
TEST(JudgePairs, StopsWhereTheChangeIsSmallerThanTheToleranceForSure) {
  EXPECT_TRUE(judged(0.005, 0).decided);
  EXPECT_TRUE(judged(-0.005, 0).decided);
  EXPECT_FALSE(judged(0.008, 0).decided);
  EXPECT_FALSE(judged(-0.008, 0).decided);
}

TEST(JudgePairs, IsDecidedAtTheLimitWhateverItFound) {
  EXPECT_FALSE(judged(0.0185, 1).decided);
  const auto last = judged(0.0185, 2);
  EXPECT_TRUE(last.decided);
  EXPECT_EQ(last.verdict, Verdict::kPass);
}

// At 16 pairs SE is 0.25 %; q = 3.29 at half of 1e-3, z = 2.58 at half of 1 %.
TEST(JudgePairs, SaysTheMdeOfAllPairsUpToTheLimit) {
  for (const std::size_t look : {0U, 1U, 2U}) {
    EXPECT_NEAR(judged(0, look).mde, std::expm1(std::log1p(0.02) + 2.5758 * 0.0025), 2e-5) << look;
  }
}

// Beyond the tolerance, and without any noise of their own.
TEST(JudgePairs, ShrinksItsNoiseTowardTheClass) {
  const std::vector<double> quiet = {0.022, 0.022, 0.022, 0.022};
  const auto looks = paired_looks(4, 16);
  const auto judgement = judge_pairs(quiet, {1e-4, 3}, kRule, looks, 0);
  EXPECT_EQ(judgement.verdict, Verdict::kPass) << "four equal pairs are not without noise";
  const double error = std::sqrt(1e-4 * 3 / 6 / 4);
  EXPECT_NEAR(judgement.p_value, student_t_upper_tail(0.022 / error, 6), 1e-12);
}

// Many comparisons of so many cases, whose pairs vary by `cv` times what a case of the class may
// differ by, each slower by `slowdown`.
struct Simulated {
  int comparisons = 0;
  int cases = 0;
  int regressed = 0;   ///< cases
  int with_alarm = 0;  ///< comparisons with at least one
  double pairs = 0;    ///< of a case, on average
  int beyond_mde = 0;  ///< cases whose slowdown is as large as their MDE says
  int found = 0;       ///< of these, REGRESSED
  int covered = 0;     ///< cases whose interval holds the slowdown
};

struct SimulatedCase {
  double sd = 0;
  std::vector<double> differences;
  PairedJudgement judgement;
};

class Simulation {
 public:
  Simulation(double alpha, double tolerance, double slowdown, unsigned seed)
      : rule_{alpha / kCases, 0.99, tolerance}, slowdown_(slowdown), random_(seed) {}

  Simulated run(int comparisons) {
    Simulated out;
    for (out.comparisons = 0; out.comparisons < comparisons; ++out.comparisons) {
      add(out, one_comparison());
    }
    out.pairs /= out.cases;
    return out;
  }

 private:
  static constexpr int kCases = 24;
  static constexpr double kTypicalSd = 0.01;
  static constexpr double kPriorDegrees = 6;

  std::vector<SimulatedCase> one_comparison() {
    std::chi_squared_distribution<double> chi(kPriorDegrees);
    std::normal_distribution<double> normal;
    std::vector<SimulatedCase> cases(kCases);
    for (auto& one : cases) {
      one.sd = kTypicalSd * std::sqrt(kPriorDegrees / chi(random_));
    }
    const auto looks = paired_looks(4, 16);
    for (std::size_t look = 0; look < looks.size(); ++look) {
      std::vector<SumOfSquares> squares;
      for (auto& one : cases) {
        while (!one.judgement.decided &&
               static_cast<int>(one.differences.size()) < looks[look].pairs) {
          one.differences.push_back(std::log1p(slowdown_) + one.sd * normal(random_));
        }
        squares.push_back(deviations(one.differences));
      }
      const auto prior = fit_variance_prior(squares, 20).prior;
      for (auto& one : cases) {
        if (!one.judgement.decided) {
          one.judgement = judge_pairs(one.differences, prior, rule_, looks, look);
        }
      }
    }
    return cases;
  }

  void add(Simulated& out, const std::vector<SimulatedCase>& cases) const {
    int regressed = 0;
    for (const auto& one : cases) {
      const auto& judgement = one.judgement;
      const bool found = judgement.verdict == Verdict::kRegressed;
      const bool is_beyond = slowdown_ >= judgement.mde;
      regressed += found ? 1 : 0;
      out.beyond_mde += is_beyond ? 1 : 0;
      out.found += is_beyond && found ? 1 : 0;
      out.covered += judgement.lowest <= slowdown_ && slowdown_ <= judgement.highest ? 1 : 0;
      out.pairs += judgement.pairs;
    }
    out.cases += kCases;
    out.regressed += regressed;
    out.with_alarm += regressed > 0 ? 1 : 0;
  }

  PairedRule rule_;
  double slowdown_;
  std::mt19937 random_;
};

// A budget of a fifth, to see it spent, and no tolerance to help: three standard errors of a
// binomial above it would be the rule's fault.
TEST(PairedRule, KeepsTheFalseAlarmBudgetOverAllCasesAndLooks) {
  constexpr double kBudget = 0.2;
  constexpr int kComparisons = 400;
  const auto equal = Simulation(kBudget, 1e-6, 0, 31).run(kComparisons);
  const double allowed = kBudget + 3 * std::sqrt(kBudget * (1 - kBudget) / kComparisons);
  EXPECT_LT(equal.with_alarm, allowed * kComparisons);
  EXPECT_GT(equal.with_alarm, kBudget / 4 * kComparisons) << "a budget is there to be spent";
  EXPECT_GT(equal.covered, 0.95 * equal.cases);
}

TEST(PairedRule, TellsThatEqualBuildsAreEqualBeforeTheLimit) {
  const auto equal = Simulation(0.01, 0.02, 0, 35).run(100);
  EXPECT_LT(equal.pairs, 10);
  EXPECT_EQ(equal.regressed, 0);
}

TEST(PairedRule, FindsASlowdownOfTheMde) {
  const auto slower = Simulation(0.01, 0.005, 0.0175, 32).run(400);
  EXPECT_GT(slower.beyond_mde, slower.cases / 4);
  EXPECT_GT(slower.found, 0.985 * slower.beyond_mde);
}

TEST(PairedRule, NeedsFewerPairsTheLargerTheSlowdown) {
  const auto small = Simulation(0.01, 0.02, 0.03, 33).run(50);
  const auto large = Simulation(0.01, 0.02, 0.30, 34).run(50);
  EXPECT_GT(small.pairs, 1.5 * large.pairs);
  EXPECT_EQ(large.regressed, large.cases);
}

}  // namespace
}  // namespace perfgate
