@triton.jit
def triton_per_fused__softmax__to_copy_bitwise_not_div_exp_masked_fill_prepare_softmax_online_sub_3(in_ptr0, in_ptr1, out_ptr2, xnumel, r0_numel, XBLOCK : tl.constexpr):
    xnumel = 192
    r0_numel = 208
    R0_BLOCK: tl.constexpr = 256
    rnumel = r0_numel
    RBLOCK: tl.constexpr = R0_BLOCK
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:, None]
    xmask = xindex < xnumel
    r0_index = tl.arange(0, R0_BLOCK)[None, :]
    r0_offset = 0
    r0_mask = r0_index < r0_numel
    roffset = r0_offset
    rindex = r0_index
    r0_2 = r0_index
    x0 = (xindex % 6)
    x3 = xindex
    x1 = xindex // 6
    tmp0 = tl.load(in_ptr0 + (r0_2 + 208*x0), r0_mask & xmask, eviction_policy='evict_last', other=0.0).to(tl.int1)
    tmp2 = tl.load(in_ptr1 + (r0_2 + 208*x3), r0_mask & xmask, other=0.0).to(tl.float32)
    tmp1 = tmp0 == 0
    tmp3 = tmp2.to(tl.float32)
    tmp4 = tl.full([1, 1], 0.08838834764831843, tl.float32)
    tmp5 = tmp3 * tmp4
    tmp6 = tl.full([1, 1], float("-inf"), tl.float32)
    tmp7 = tl.where(tmp1, tmp6, tmp5)
    tmp8 = tl.broadcast_to(tmp7, [XBLOCK, R0_BLOCK])
    tmp10 = tl.broadcast_to(tmp8, [XBLOCK, R0_BLOCK])
    tmp12 = tl.where(r0_mask & xmask, tmp10, float("-inf"))
    tmp13 = triton_helpers.max2(tmp12, 1)[:, None].to(tl.float32)
    tmp14 = tmp8 - tmp13
    tmp15 = libdevice.exp(tmp14)
    tmp16 = tl.broadcast_to(tmp15, [XBLOCK, R0_BLOCK])
    tmp18 = tl.where(r0_mask & xmask, tmp16, 0)
    tmp19 = tl.sum(tmp18, 1)[:, None].to(tl.float32)
    tmp20 = tmp7 - tmp13
    tmp21 = libdevice.exp(tmp20)
    tmp22 = (tmp21 / tmp19)
    tmp23 = tmp22.to(tl.float32)
    tl.store(out_ptr2 + (r0_2 + 208*x0 + 1280*x1), tmp23, r0_mask & xmask)
