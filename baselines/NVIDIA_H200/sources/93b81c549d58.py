@triton.jit
def triton_poi_fused_index_copy_mm_split_with_sizes_transpose_view_5(in_ptr0, in_ptr1, out_ptr0, xnumel, XBLOCK : tl.constexpr):
    xnumel = 4096
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:]
    xmask = tl.full([XBLOCK], True, tl.int1)[:]
    x2 = xindex
    x0 = (xindex % 128)
    x1 = xindex // 128
    tmp0 = tl.load(in_ptr0 + (0))
    tmp1 = tl.broadcast_to(tmp0, [XBLOCK])
    tmp7 = tl.load(in_ptr1 + (8192 + x2), None)
    tmp2 = tl.full([XBLOCK], 208, tl.int32)
    tmp3 = tmp1 + tmp2
    tmp4 = tmp1 < 0
    tmp5 = tl.where(tmp4, tmp3, tmp1)
    tl.device_assert((0 <= tmp5) & (tmp5 < 208), "index out of bounds: 0 <= tmp5 < 208")
    tmp8 = tmp7.to(tl.float32)
    tl.store(out_ptr0 + (x0 + 128*tmp5 + 26624*x1), tmp8, None)
