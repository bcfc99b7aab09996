@triton.jit
def triton_red_fused__softmax__to_copy_bitwise_not_bmm_div_exp_masked_fill_sub_6(in_ptr0, in_ptr1, in_ptr2, in_ptr3, in_ptr4, out_ptr0, xnumel, r0_numel, XBLOCK : tl.constexpr, R0_BLOCK : tl.constexpr):
    xnumel = 8192
    r0_numel = 104
    rnumel = r0_numel
    RBLOCK: tl.constexpr = R0_BLOCK
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:, None]
    xmask = tl.full([XBLOCK], True, tl.int1)[:, None]
    r0_base = tl.arange(0, R0_BLOCK)[None, :]
    rbase = r0_base
    x1 = ((xindex // 128) % 2)
    x4 = xindex // 128
    x2 = xindex // 256
    tmp9 = tl.load(in_ptr2 + (x2), None, eviction_policy='evict_last')
    tmp12 = tl.load(in_ptr3 + (x2), None, eviction_policy='evict_last')
    x0 = (xindex % 128)
    _tmp20 = tl.full([XBLOCK, R0_BLOCK], 0, tl.float32)
    x5 = xindex
    for r0_offset in tl.range(0, r0_numel, R0_BLOCK):
        r0_index = r0_offset + r0_base
        r0_mask = r0_index < r0_numel
        roffset = r0_offset
        rindex = r0_index
        r0_3 = r0_index
        tmp0 = tl.load(in_ptr0 + (r0_3 + 104*x1), r0_mask, eviction_policy='evict_last', other=0.0).to(tl.int1)
        tmp2 = tl.load(in_ptr1 + (r0_3 + 104*x4), r0_mask, eviction_policy='evict_last', other=0.0)
        tmp16 = tl.load(in_ptr4 + (x0 + 128*r0_3 + 13312*x4), r0_mask, eviction_policy='evict_first', other=0.0).to(tl.float32)
        tmp1 = tmp0 == 0
        tmp3 = tmp2.to(tl.float32)
        tmp4 = tmp3.to(tl.float32)
        tmp5 = tl.full([1, 1], 0.08838834764831843, tl.float32)
        tmp6 = tmp4 * tmp5
        tmp7 = tl.full([1, 1], float("-inf"), tl.float32)
        tmp8 = tl.where(tmp1, tmp7, tmp6)
        tmp10 = tmp8 - tmp9
        tmp11 = libdevice.exp(tmp10)
        tmp13 = (tmp11 / tmp12)
        tmp14 = tmp13.to(tl.float32)
        tmp15 = tmp14.to(tl.float32)
        tmp17 = tmp16.to(tl.float32)
        tmp18 = tmp15 * tmp17
        tmp19 = tl.broadcast_to(tmp18, [XBLOCK, R0_BLOCK])
        tmp21 = _tmp20 + tmp19
        _tmp20 = tl.where(r0_mask, tmp21, _tmp20)
    tmp20 = tl.sum(_tmp20, 1)[:, None]
    tl.store(out_ptr0 + (x5), tmp20, None)
