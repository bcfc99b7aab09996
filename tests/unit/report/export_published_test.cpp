// The tables of PyTorch's own benchmarks, from results.
#include <gmock/gmock.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fixtures/exported.h"
#include "fixtures/outcomes.h"
#include "perfgate/core/errors.h"

namespace perfgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::exported;
using testing_support::lines_of;
using testing_support::run_of;

WorkerReport sparse_worker(const std::string& backend, double time_us) {
  auto out = testing_support::worker("sparse/tensor/bert/fp16/3072x1024/" + backend, time_us);
  out.parameters = {{"test_function", "tensor"}, {"mode", "nvidia-bert"},
                    {"m", std::int64_t{3072}},   {"k", std::int64_t{1024}},
                    {"n", std::int64_t{16384}},  {"dtype", "fp16"},
                    {"backend", backend}};
  out.environment["output"] = "contiguous";
  out.phases[Phase::kWhole].outputs = {{true, Accuracy{}}};
  return out;
}

Run sparse_night() {
  Outcome dense;
  dense.reports = {sparse_worker("dense", 300)};
  dense.case_key = dense.reports[0].case_key;
  Outcome sparse;
  sparse.reports = {sparse_worker("cusparselt", 200)};
  sparse.case_key = sparse.reports[0].case_key;
  sparse.reports[0].compared_with = dense.case_key;
  return run_of({dense, sparse});
}

TEST(SparseCsv, HasThePublishedColumns) {
  EXPECT_EQ(exported("sparse_csv", sparse_night(), false, "nvidia-bert_fp16_cusparselt.csv"),
            ",test_function,m,k,n,dtype,backend,sparse_latency (ms),dense_latency (ms),"
            "speedup (d/s),correct,contiguous\n"
            "0,tensor,3072,1024,16384,torch.float16,cusparselt,0.2,0.3,1.4999999999999998,True,"
            "True\n");
}

TEST(SparseCsv, KeepsTheBenchmarksOrderWhateverShardsMeasuredIt) {
  auto run = sparse_night();
  auto first = run.outcomes[1];
  first.reports[0].parameters["m"] = std::int64_t{1};
  first.reports[0].parameters["row"] = std::int64_t{0};
  run.outcomes[1].reports[0].parameters["row"] = std::int64_t{1};
  run.outcomes.push_back(first);
  const auto lines =
      lines_of(exported("sparse_csv", run, false, "nvidia-bert_fp16_cusparselt.csv"));
  EXPECT_THAT(lines.at(1), HasSubstr("0,tensor,1,"));
  EXPECT_THAT(lines.at(2), HasSubstr("1,tensor,3072,"));
}

TEST(SparseCsv, SaysWhatIsNotCorrect) {
  auto run = sparse_night();
  auto& report = run.outcomes[1].reports[0];
  report.status = WorkerStatus::kWrong;
  report.phases[Phase::kWhole].outputs[0].accuracy->wrong_elements = 3;
  EXPECT_THAT(exported("sparse_csv", run, false, "nvidia-bert_fp16_cusparselt.csv"),
              HasSubstr(",False,True\n"));
  report.phases[Phase::kWhole].outputs[0].accuracy->wrong_elements =
      0;  // but not in the layout that its case says
  report.phases[Phase::kWhole].outputs[0].contiguous = false;
  EXPECT_THAT(exported("sparse_csv", run, false, "nvidia-bert_fp16_cusparselt.csv"),
              HasSubstr(",True,False\n"));
}

TEST(SparseCsv, WritesAWholeNumberAsPandasDoes) {
  auto run = sparse_night();
  run.outcomes[1].reports[0].metrics.at(kTime).value = 3000;
  EXPECT_THAT(exported("sparse_csv", run, false, "nvidia-bert_fp16_cusparselt.csv"),
              HasSubstr(",cusparselt,3.0,0.3,0.0"));
}

TEST(SparseCsv, KeepsLinearLayersApart) {
  auto run = sparse_night();
  run.outcomes[1].reports[0].parameters["test_function"] = "linear";
  EXPECT_THROW(exported("sparse_csv", run, false, "nvidia-bert_fp16_cusparselt.csv"), UsageError);
  EXPECT_THAT(exported("sparse_linear_csv", run, false, "nvidia-bert_fp16_cusparselt.csv"),
              HasSubstr("\n0,linear,3072"));
}

TEST(SparseCsv, RefusesAFileThatDoesNotSayWhatItIsOf) {
  EXPECT_THROW(exported("sparse_csv", sparse_night(), false, "night.csv"), UsageError);
  EXPECT_THROW(exported("sparse_csv", sparse_night(), false, "nvidia-bert_fp8_cusparselt.csv"),
               UsageError);
}

TEST(SparseCsv, RefusesWhatTheResultsDoNotHave) {
  EXPECT_THROW(exported("sparse_csv", sparse_night(), false, "nvidia-bert_fp16_cutlass.csv"),
               UsageError);
}

Outcome attention(const std::string& implementation, const std::string& padding, double time_us) {
  Outcome out;
  out.case_key = "attention/256x32x256x512/bf16/" + implementation;
  out.reports = {testing_support::worker(out.case_key, time_us)};
  out.reports[0].parameters = {{"batch_size", std::int64_t{256}},
                               {"num_heads", std::int64_t{32}},
                               {"max_sequence_len", std::int64_t{256}},
                               {"embed_dimension", std::int64_t{512}},
                               {"dtype", "bf16"},
                               {"pad_percentage", padding},
                               {"implementation", implementation}};
  return out;
}

Run attention_night() {
  return run_of({attention("nn_mha", "None", 1371.5), attention("composite", "None", 402),
                 attention("flash", "None", 401), attention("nn_mha", "0.9", 150)});
}

TEST(AttentionCsv, HasARowAShapeAndTheFourPublishedTimes) {
  EXPECT_THAT(
      lines_of(exported("attention_csv", attention_night())),
      ElementsAre("batch_size,num_heads,max_sequence_len,embed_dimension,dtype,"
                  "pad_percentage,enable_math,enable_flash,enable_mem_efficient,"
                  "enable_cudnn,nn_mha_time (\u00B5s),compiled_nn_mha_time (\u00B5s),"
                  "composite_mha_time (\u00B5s),compiled_composite_mha_time (\u00B5s)\r",
                  "256,32,256,512,torch.bfloat16,,False,True,True,True,1371.500000,,"
                  "402.000000,\r",
                  "256,32,256,512,torch.bfloat16,0.9,False,True,True,True,150.000000,,,\r"));
}

TEST(AttentionTable, IsTheSameInColumns) {
  const auto lines = lines_of(exported("attention_table", attention_night()));
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_THAT(lines[3], HasSubstr("| torch.bfloat16 |      None      |"));
  EXPECT_EQ(lines[0], lines[2]);
  EXPECT_EQ(lines[0], lines[5]);
}

TEST(AttentionTable, RefusesResultsWithoutAttention) {
  EXPECT_THROW(exported("attention_table", sparse_night()), UsageError);
}

// The first sample is of one process, the others are of a second.
Outcome trained(const std::string& group, const std::string& name,
                const std::vector<double>& forward_us, const std::vector<double>& backward_us) {
  Outcome out;
  out.case_key = "fastrnns/" + name;
  out.reports.resize(forward_us.size() > 1 ? 2 : 1);
  for (auto& report : out.reports) {
    report.status = WorkerStatus::kMeasured;
    report.parameters = {{"group", group}, {"name", name}};
  }
  for (const auto& [phase, samples_us] :
       {std::pair(Phase::kForward, forward_us), std::pair(Phase::kBackward, backward_us)}) {
    for (std::size_t i = 0; i < samples_us.size(); ++i) {
      out.reports[i == 0 ? 0 : 1].phases[phase].samples["time_us"].push_back(samples_us[i]);
    }
  }
  return out;
}

Run trained_night() {
  auto slow = trained("lstm", "jit", {4000}, {8000});
  slow.reports[0].parameters["fuser"] = "none";
  slow.reports[0].parameters["executor"] = "simple";
  return run_of({trained("lstm", "cudnn", {1000, 2000, 3000}, {2500, 2500, 2500}), slow,
                 trained("lstm", "cudnn_layernorm", {1500}, {}),
                 trained("resnet", "resnet50_jit", {12345.5, 12345.5}, {30000, 30000}),
                 attention("nn_mha", "None", 1371.5)});
}

TEST(Fastrnns, HasTheBenchmarksTableInMilliseconds) {
  EXPECT_THAT(
      lines_of(exported("fastrnns_table", trained_night())),
      ElementsAre(
          "Benchmarking LSTMs...",
          "            name          avg_fwd          std_fwd         info_fwd          "
          "avg_bwd          std_bwd         info_bwd",
          "           cudnn                2                1             None              "
          "2.5                0             None",
          " jit_none_simple                4              nan             None                "
          "8              nan             None",
          " cudnn_layernorm              1.5              nan             None              "
          "nan              nan             None",
          "", "Benchmarking ResNets...",
          "            name          avg_fwd          std_fwd         info_fwd          "
          "avg_bwd          std_bwd         info_bwd",
          "    resnet50_jit            12.35                0             None               "
          "30                0             None",
          ""));
}

TEST(Fastrnns, CutsNoName) {
  const std::string longer = "resnet50_bf16_autocast_channels_last";
  const auto lines =
      lines_of(exported("fastrnns_table", run_of({trained("resnet", longer, {1000}, {2000}),
                                                  trained("resnet", "resnet50", {1000}, {2000})})));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[2].substr(0, longer.size() + 1), longer + " ");
  EXPECT_EQ(lines[3].size(), lines[2].size());
  EXPECT_EQ(lines[1].size(), lines[2].size());
}

TEST(Fastrnns, HasAveragesByGroupAsOss) {
  EXPECT_EQ(nlohmann::json::parse(exported("fastrnns_oss", trained_night())),
            nlohmann::json::parse(R"({
    "lstm": {"cudnn": 2.0, "jit_none_simple": 4.0, "cudnn_layernorm": 1.5},
    "lstm-backward": {"cudnn": 2.5, "jit_none_simple": 8.0},
    "resnet": {"resnet50_jit": 12.3455}, "resnet-backward": {"resnet50_jit": 30.0}})"));
}

TEST(Fastrnns, HasALineASampleAsPep) {
  const auto lines = lines_of(exported("fastrnns_pep", trained_night()));
  ASSERT_EQ(lines.size(), 13u);
  EXPECT_EQ(lines[1],
            R"(Caffe2Observer {"metric":"lstm-cudnn","type":"NET","unit":"ms","value":"2"})");
  EXPECT_EQ(lines[12],
            R"(Caffe2Observer {"metric":"resnet-backward-resnet50_jit","type":"NET","unit":"ms",)"
            R"("value":"30"})");
}

TEST(Fastrnns, RefusesResultsWithoutIt) {
  EXPECT_THROW(exported("fastrnns_table", attention_night()), UsageError);
  EXPECT_THROW(exported("fastrnns_oss", attention_night()), UsageError);
}

Outcome decoding(const std::string& key, double tokens, double bytes) {
  Outcome out = testing_support::case_of(key, 1e6);
  WorkerReport& report = out.reports[0];
  report.phases[Phase::kDecode] = report.phases.at(Phase::kWhole);
  report.phases.erase(Phase::kWhole);
  report.phases[Phase::kDecode].traffic = {{bytes}, {}, Bound::kMemory, false, tokens};
  report.metrics[kTime.in(Phase::kDecode)] = report.metrics.at(kTime);
  return out;
}

TEST(GptFastCsv, HasTheBenchmarksRowsWithItsTargets) {
  auto run = run_of({decoding("language_models/llama2_7b/bf16/compiled_graph", 190.125, 2.5e12),
                     decoding("language_models/llama2_7b/bf16/graph", 100, 1e12),
                     testing_support::case_of("gpt_fast/gemv/int8/D64/compiled", 100),
                     testing_support::case_of("gpt_fast/gemv/int8/D128/compiled", 50)});
  run.info.device.kind = "cuda";
  const Published targets{"A100",
                          "seed",
                          {{"language_models/llama2_7b/bf16/compiled_graph/decode",
                            {{94, Unit::kTokensPerS}, {1253, Unit::kGbPerS}}},
                           {"gpt_fast/gemv/int8/compiled", {{870, Unit::kGbPerS}}}}};
  EXPECT_EQ(exported("gpt_fast_csv", run, false, "file", {targets}),
            "name,metric,target,actual,dtype,device,is_model\n"
            "Llama-2-7b-chat-hf,token_per_sec,94,190.12,bfloat16,cuda,True\n"
            "Llama-2-7b-chat-hf,memory_bandwidth(GB/s),1253,2500.00,bfloat16,cuda,True\n"
            "gemv,memory_bandwidth(GB/s),870,4.05,int8,cuda,False\n");
}

TEST(GptFastCsv, RefusesResultsThatHaveNoExperiment) {
  EXPECT_THROW(exported("gpt_fast_csv", sparse_night()), UsageError);
}

}  // namespace
}  // namespace perfgate
