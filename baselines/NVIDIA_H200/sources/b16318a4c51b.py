@triton.jit
def triton_per_fused__softmax__to_copy_arange_cat_eq_exp_masked_fill_max_mm_prepare_softmax_online_sub_9(in_ptr0, out_ptr2, out_ptr4, out_ptr5, out_ptr6, xnumel, r0_numel, XBLOCK : tl.constexpr):
    xnumel = 1
    r0_numel = 8
    R0_BLOCK: tl.constexpr = 8
    rnumel = r0_numel
    RBLOCK: tl.constexpr = R0_BLOCK
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:, None]
    xmask = tl.full([XBLOCK], True, tl.int1)[:, None]
    r0_index = tl.arange(0, R0_BLOCK)[None, :]
    r0_offset = 0
    r0_mask = tl.full([R0_BLOCK], True, tl.int1)[None, :]
    roffset = r0_offset
    rindex = r0_index
    r0_0 = r0_index
    tmp0 = tl.load(in_ptr0 + (r0_0), None)
    tmp1 = tmp0.to(tl.float32)
    tmp2 = tmp1.to(tl.float32)
    tmp3 = tl.broadcast_to(tmp2, [XBLOCK, R0_BLOCK])
    tmp5 = tl.broadcast_to(tmp3, [XBLOCK, R0_BLOCK])
    tmp7 = triton_helpers.max2(tmp5, 1)[:, None].to(tl.float32)
    tmp8 = tmp3 - tmp7
    tmp9 = libdevice.exp(tmp8)
    tmp10 = tl.broadcast_to(tmp9, [XBLOCK, R0_BLOCK])
    tmp12 = tl.sum(tmp10, 1)[:, None].to(tl.float32)
    tmp13 = tmp2 - tmp7
    tmp14 = libdevice.exp(tmp13)
    tmp15 = (tmp14 / tmp12)
    tmp16 = tl.broadcast_to(tmp15, [XBLOCK, R0_BLOCK])
    tmp18 = triton_helpers.max2(tmp16, 1)[:, None].to(tl.float32)
    tmp20 = tl.broadcast_to(rindex, tmp16.shape)
    tmp19_val, tmp19_idx = triton_helpers.max_with_index(tmp16, tmp20, 1)
    tmp19 = tmp19_idx[:, None]
    tmp21 = r0_0
    tmp22 = tmp21 == tmp19
    tmp23 = tl.full([1, 1], float("-inf"), tl.float32)
    tmp24 = tl.where(tmp22, tmp23, tmp15)
    tmp25 = tl.broadcast_to(tmp24, [XBLOCK, R0_BLOCK])
    tmp27 = triton_helpers.max2(tmp25, 1)[:, None].to(tl.float32)
    tmp29 = tl.broadcast_to(rindex, tmp25.shape)
    tmp28_val, tmp28_idx = triton_helpers.max_with_index(tmp25, tmp29, 1)
    tmp28 = tmp28_idx[:, None]
    tl.store(out_ptr6 + (tl.full([1, 1], 0, tl.int32).broadcast_to(XBLOCK, 1)), tmp19, None)
    tmp19 = tmp19.to(tl.float32)
    tmp28 = tmp28.to(tl.float32)
    tl.store(out_ptr2 + (tl.full([1, 1], 0, tl.int32).broadcast_to(XBLOCK, 1)), tmp18, None)
    tl.store(out_ptr4 + (tl.full([1, 1], 0, tl.int32).broadcast_to(XBLOCK, 1)), tmp27, None)
    tl.store(out_ptr5 + (tl.full([1, 1], 0, tl.int32).broadcast_to(XBLOCK, 1)), tmp28, None)
