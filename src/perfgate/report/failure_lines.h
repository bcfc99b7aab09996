#pragma once
// What a failure says of its measurements, line by line.

#include <cstddef>
#include <string>

#include "perfgate/baseline/baseline.h"
#include "perfgate/gate/outcome.h"

namespace perfgate {

/// "  label        text" and the end of the line.
std::string line(const std::string& label, const std::string& text);

/// "1 process", "2 processes".
std::string counted(std::size_t number, const std::string& noun, const std::string& plural);

/// How much slower or faster, with what significance, and how far the processes lie apart where
/// that decides.
std::string judged_lines(const Outcome& outcome, const Judgement& judgement);

/// Where a reason decides and not a measurement: what the time was and is. Else empty.
std::string times_line(const Outcome& outcome, const Baseline& baseline);

/// What the time was and is, and how much faster or slower the control beside the case, where their
/// ratio is judged. Else empty.
std::string control_line(const Outcome& outcome, const Judgement& judgement,
                         const Baseline& baseline);

/// How much of a change in time the clock explains, where cycles are judged beside it. Else empty.
std::string clock_line(const Outcome& outcome, Phase phase);

}  // namespace perfgate
