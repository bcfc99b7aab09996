#pragma once
// How a body is measured: how it is warmed up, how many samples it gets, how long the device idles
// behind each, how often it is traced, and how long all that takes. Chosen by its expected length
// alone, here alone: a body of 2 us and one of 20 s differ in nothing else, and every process of
// every night follows the same plan, which is part of its protocol.

#include "perfgate/core/units.h"

namespace perfgate {

struct MeasurementPlan {
  int warm_up_runs = 0;          ///< at least, before the first sample
  Seconds warm_up{0};            ///< at least, and on a GPU then until its clock stands still
  Seconds longest_warm_up{0};    ///< a clock that never stands still is measured all the same
  int samples = 1;               ///< what the measurements are made of
  int samples_a_block = 1;       ///< between two runs of a control, on a CPU
  double pause = 0;              ///< the device idles behind a sample, in lengths of the body
  int traced_runs = 1;           ///< executions whose kernels are traced, on a GPU
  bool first_trace_run = false;  ///< one more, left out: it pays for the tracer's own start
  bool very_long = false;        ///< so that a worker of it needs more time than others

  /// How long the body's runs and the pauses behind them take, with the run that prepares it; a
  /// worker needs more, to load, to prepare and to check.
  [[nodiscard]] Seconds length(Seconds expected) const;
  /// A body that takes far longer than it is expected to gets no further sample once its runs have
  /// taken so long: a few tell as much, and a worker that takes all of them is killed without a
  /// word.
  [[nodiscard]] Seconds patience(Seconds expected) const;
};

/// What plans for CPUs are made of.
struct CpuProtocol {
  Seconds sampling{0.4};        ///< aimed-at total of the samples; more costs the suite's 3 minutes
  int min_samples = 8;          ///< fewer and the median means little
  int max_samples = 300;        ///< more does not help: what is left is between processes
  Seconds longest_sampling{4};  ///< bodies of which min_samples take longer get fewer, but one
  Seconds block{0.01};          ///< samples between two controls; longer and drift gets in
  double disturbed = 0.005;     ///< wall over CPU time beyond which a sample is discarded
  Seconds clock_grain{2e-6};    ///< slack on that: reading both clocks costs this much
  Seconds warm_up{0.05};        ///< aimed-at total of runs before: clocks, caches, first touches
  int min_warm_up_runs = 2;     ///< of bodies that are not very long
  Seconds very_long{0.5};       ///< such a body is warmed up by the run that prepares it
  Seconds shortest{1e-6};       ///< of a shorter body the clocks themselves are a large part
};

/// What plans for GPUs are made of.
struct CudaProtocol {
  Seconds sampling{0.1};  ///< aimed-at total; more does not help: what is left is between processes
  int min_samples = 12;   ///< of bodies of 2.7 ms and more; their workers agree to 0.3 %
  int max_samples = 400;
  /// Bodies of which min_samples take longer (17 ms and more), pauses aside, get fewer, but this
  /// many.
  Seconds longest_sampling{0.2};
  int fewest_samples = 5;
  Seconds longest_of_all{5};  ///< bodies of which fewest_samples take longer get fewer, but one
  double pause = 2;  ///< behind a sample, in lengths of the body: without, products of some ms run
                     ///< into the power limit
  /// What is expected to take longer is measured without a pause: it would be most of its time. Few
  /// such bodies run into the limit within the samples that they get.
  Seconds longest_paused{0.03};
  Seconds precondition{0.1};    ///< of integer tensor cores, before what computes
  Seconds overhead{120e-6};     ///< what a sample costs beside body and pause
  Seconds warm_up{0.02};        ///< at least; until the SM clock stands still
  Seconds max_warm_up{0.5};     ///< a clock that never stands still is measured all the same
  double steady_clock = 0.005;  ///< relative difference of two clocks that stand still
  int floor_samples = 200;      ///< of the event floor
  int min_trace_runs = 1;       ///< executions that are traced: as many as fit into `sampling`
  int max_trace_runs = 10;
  /// Such a body is warmed up by the run that prepares it, and its first traced run counts.
  Seconds very_long{0.5};
  /// Of what the device takes: from there on the host gets a pass (host_pass.h).
  double host_may_decide = 0.5;
  /// The most that such a pass may take: little beside a process, which loads LibTorch first.
  Seconds host_pass{0.06};
  int min_host_samples = 5;      ///< of bodies of which fewer fit into the pass there is none
  Seconds host_control{1.1e-3};  ///< beside each: 150 stand-ins of 7 us
  /// Launches that are queued at once, at most: a GPU's queue takes about a thousand.
  int max_queued_launches = 500;
};

/// `expected`: rough length of one run of the body.
MeasurementPlan plan_for(const CpuProtocol& protocol, Seconds expected);
MeasurementPlan plan_for(const CudaProtocol& protocol, Seconds expected);

/// How a host pass is made.
struct HostPassPlan {
  int samples = 0;  ///< 0: none is made
  int runs = 1;  ///< of the body, queued behind each other: a sample takes as long as its control
};

/// For a body of so many launches that takes the host and the device so long.
HostPassPlan host_pass_plan(const CudaProtocol& protocol, Seconds host, Seconds device,
                            double launches);

}  // namespace perfgate
