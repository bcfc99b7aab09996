#include "perfgate/run/cli/help_text.h"

#include "perfgate/report/export.h"

namespace perfgate {
namespace {

constexpr const char* kFooter = R"(Exit codes, strongest first:
  128 + n  ended by signal n (Ctrl-C, TERM, HUP, QUIT, PIPE); the results file, marked partial, has
           what was measured, and a refresh records it
  2   usage error, a file that cannot be read or written, or output that could not be printed
  1   REGRESSED, UNSTEADY, WRONG, LOST or ERROR; a group of cases slower together (GLOBAL);
      MACHINE_INVALID for three nights; NO_BASELINE with --require_baseline; OTHER_KERNELS with
      --strict_kernels
  3   the machine is unfit, a canary was missed or alarms, a refresh refused a case, a case was
      recorded under another protocol, a case did not run, more than a fifth of the judged cases are BLIND, or only the
      environment made the selection
  0   no selected case and no group of cases failed, no canary was missed or alarmed, and at least
      four fifths of the judged cases have an MDE that the policy allows (those of a local baseline
      of fewer than three sessions aside); of a refresh: every case that can run here was recorded
  77  nothing of the selection was judged (CTest: Skipped)

GoogleTest's own flags (--gtest_filter, --gtest_shuffle, --gtest_repeat, --gtest_list_tests...) work
as ever. Anything else is an error. Examples:
  perfgate --case='gpt_fast/gemv/*'                 gate some cases
  perfgate --case='attention/64x16x1024x512/bf16/*'
                                                    batch x heads x length x width of your own
  perfgate --refresh --reason="LibTorch 2.14"       record a session
  perfgate --refresh --accept='ops/mm/*:oneDNN 3.9'
                                                    and take these slower cases for the new normal
  perfgate --worker=ops/mm/fp32/N512/eager          one case alone, for a debugger
  perfgate --worker=ops/mm/fp32/N512/eager --repeat=100
                                                    its body alone, for a profiler
  perfgate --against=build/older --family=ops       is this build slower than that one?
  perfgate --against_env=now:ONEDNN_MAX_CPU_ISA=AVX2
                                                    what does that variable do to this build?
  perfgate --bisect=builds.txt --case='ops/mm/*'    which build of this list is the first slow one?
                                                    (1: found, 0: none is slow, 3: not decided)
  perfgate --merge --export=junit:night.xml         the night's summary, and a file for CI)";

}  // namespace

std::string help_footer() { return kFooter; }

std::string export_help() {
  std::string out =
      "write the results in --results as FORMAT (several are possible; FILE - is stdout), and "
      "end;\n"
      "where a format has a limit, FORMAT:FILE:LIMIT is another one, in bytes:";
  for (const auto& format : export_formats()) {
    out +=
        "\n" + format.name + " for " + format.about + (format.has_limit ? " (with a limit)" : "");
  }
  return out + "\nctest/export.py of perfgate's sources writes those of other benchmarks";
}

}  // namespace perfgate
