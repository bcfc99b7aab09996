// How sessions are named.

#include <gtest/gtest.h>

#include "fixtures/sample_baseline.h"
#include "perfgate/baseline/record.h"

namespace perfgate {
namespace {

using testing_support::session_on;

TEST(NextSessionId, IsDateShortenedDeviceAndTheNextNumber) {
  Baseline baseline;
  const SessionRecord session = session_on("GPU-b398e28c-1a2b-3c4d");
  EXPECT_EQ(next_session_id(baseline, session), "2026-11-20-b398e28c-01");
  baseline.sessions["2026-11-20-b398e28c-01"] = session;
  EXPECT_EQ(next_session_id(baseline, session), "2026-11-20-b398e28c-02");
  for (const char* id : {"2026-11-20-b398e28c-02", "2026-11-20-b398e28c-03"}) {
    baseline.sessions[id] = session;
  }
  baseline.sessions.erase("2026-11-20-b398e28c-02");  // folded, and named no more
  EXPECT_EQ(next_session_id(baseline, session), "2026-11-20-b398e28c-04");
}

TEST(NextSessionId, CountsEveryDeviceAndDayByItself) {
  Baseline baseline;
  baseline.sessions["2026-11-20-b398e28c-01"] = {};
  EXPECT_EQ(next_session_id(baseline, session_on("b398e28c", "2026-11-21")),
            "2026-11-21-b398e28c-01");
  EXPECT_EQ(next_session_id(baseline, session_on("GPU-ffff")), "2026-11-20-ffff-01");
}

TEST(NextSessionId, TakesEightLettersAndDigitsOfAnyDevice) {
  EXPECT_EQ(next_session_id({}, session_on("ab-cd_ef/gh.ij")), "2026-11-20-abcdefgh-01");
}

}  // namespace
}  // namespace perfgate
