#include "perfgate/measure/library_calls.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

// As oneDNN 3.12 and MKL 2024.2 of LibTorch 2.13 print them.
constexpr const char* kConvolution =
    "onednn_verbose,v1,primitive,exec,cpu,convolution,jit:avx512_core,forward_training,"
    "src:f32:a:blocked:abcd::f0 wei:f32:ap:blocked:Acdb16a::f0 bia:undef::undef::: "
    "dst:f32:ap:blocked:aBcd16b::f0,attr-scratchpad:user,alg:convolution_direct,"
    "mb2_ic3oc8_ih32oh30kh3sh1dh0ph0_iw32ow30kw3sw1dw0pw0,0.0739746";
constexpr const char* kProduct =
    "MKL_VERBOSE SGEMM(N,N,128,128,128,0x7ffd,0x55fb,128,0x55fb,128,0x7ffd,0x55fb,128) 112.88us "
    "CNR:OFF Dyn:0 FastMM:1 TID:0  NThr:1";

TEST(LibraryCalls, NameWhatOneDnnDispatched) {
  const auto call = library_call(kConvolution);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->kernel.name, "oneDNN convolution f32");
  EXPECT_EQ(call->kernel.implementation, "jit:avx512_core");
  EXPECT_EQ(call->kernel.count, 1);
  EXPECT_EQ(call->end_ns - call->start_ns, 73'975);
  EXPECT_FALSE(call->start_is_known);
}

TEST(LibraryCalls, NameTheTypesOfOperandsWhereTheyDiffer) {
  const auto call = library_call(
      "onednn_verbose,primitive,exec,cpu,matmul,ref:any,undef,src:u8::blocked:ab::f0 "
      "wei:s8::blocked:ab::f0 dst:f32::blocked:ab::f0,attr-scratchpad:user,,4x4:4x4,1.5");
  ASSERT_TRUE(call);  // as oneDNN 2 prints it
  EXPECT_EQ(call->kernel.name, "oneDNN matmul u8:s8:f32");
  EXPECT_EQ(call->kernel.implementation, "ref:any");
}

TEST(LibraryCalls, NameMklsFunctionsWithTimesInAnyUnit) {
  const auto call = library_call(kProduct);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->kernel.name, "MKL SGEMM");
  EXPECT_EQ(call->end_ns, 112'880);
  EXPECT_EQ(library_call("MKL_VERBOSE DGEMM(N,N,1) 1.5ms CNR:OFF")->end_ns, 1'500'000);
}

TEST(LibraryCalls, AreNotWhatElseIsSaid) {
  for (const char* line :
       {"", "onednn_verbose,v1,info,cpu,isa:Intel AVX-512", "a body's own line (1) 5us x",
        "onednn_verbose,v1,primitive,info,template:operation,engine,primitive",
        "onednn_verbose,v1,primitive,exec,cpu,matmul,cut off",
        "MKL_VERBOSE oneMKL 2024.0 for Intel(R) 64 architecture Intel(R) AVX-512, Lnx 2.10GHz"}) {
    EXPECT_FALSE(library_call(line)) << line;
  }
}

TEST(LibraryCalls, AreFoundAmongOtherLines) {
  const auto calls =
      library_calls("hello\n" + std::string(kConvolution) + "\n\n" + kProduct + "\n");
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[1].kernel.name, "MKL SGEMM");
}

}  // namespace
}  // namespace perfgate
