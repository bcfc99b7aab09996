#include "perfgate/report/kernel_category.h"

#include <gtest/gtest.h>

namespace perfgate {
namespace {

using C = KernelCategory;

// As they are recorded in baselines/*/kernels, and as a CPU's trace has them.
TEST(KernelCategories, AreThoseThatNamesTell) {
  const std::pair<const char*, C> examples[] = {
      {"triton_poi_fused_convolution_0", C::kPointwise},
      {"triton_red_fused_mv_0", C::kReduction},
      {"triton_per_fused_native_layer_norm_2", C::kPersistentReduction},
      {"triton_for_fused_0", C::kForeach},
      {"triton_spl_fused_cumsum_0", C::kSplitScan},
      {"triton_tem_fused_mm_3", C::kTemplate},
      {"triton_mm_plus_mm_1", C::kTemplate},
      {"triton_elsewhere", C::kUnknown},
      {"fused_mul_mul_mul_n", C::kPointwise},
      {"at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
       "std::array<char*, 1ul> >",
       C::kPointwise},
      {"at::native::reduce_kernel<512, 1, at::native::ReduceOp<float> >", C::kReduction},
      {"softmax_warp_forward<float, float, float, 9, false, false>", C::kReduction},
      {"at::native::batch_norm_transform_input_kernel<float, float, float, true, int>",
       C::kPointwise},
      {"at::native::multi_tensor_apply_kernel<at::native::TensorListMetadata<3> >", C::kForeach},
      {"nvjet_sm90_tst_64x8_64x16_2x1_v_bz_NNT", C::kLibrary},
      {"sm90_xmma_sparse_gemm_bf16f32_f32_tn_t_tilesize128x128x64", C::kLibrary},
      {"elemWiseRNNcell<float, float, float, (cudnnRNNMode_t)2, (cudnnRNNBiasMode_t)2>",
       C::kLibrary},
      {"pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4> >", C::kLibrary},
      {"at_cuda_detail::cub::detail::reduce::DeviceReduceSingleTileKernel<int>", C::kLibrary},
      {"oneDNN matmul f32", C::kLibrary},
      {"MKL SGEMM", C::kLibrary},
      {"memcpy", C::kMemory},
      {"memset", C::kMemory},
      {"my_kernel", C::kUnknown},
  };
  for (const auto& [name, category] : examples) {
    EXPECT_EQ(category_of({name}), category) << name;
  }
}

TEST(KernelCategories, HaveAllThatACpuRunsButItsLibrariesForOperators) {
  KernelRecord kernel{"ConvolutionBackward0"};
  kernel.implementation = "AVX512";
  EXPECT_EQ(category_of(kernel), C::kOperator);
  kernel.name = "oneDNN matmul f32";
  kernel.implementation = "brg_matmul:avx512_core";
  EXPECT_EQ(category_of(kernel), C::kLibrary);
}

}  // namespace
}  // namespace perfgate
