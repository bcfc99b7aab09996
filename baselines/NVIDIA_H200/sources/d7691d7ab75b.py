@triton.jit
def triton_poi_fused__to_copy_add_mm_mul_split_with_sizes_stack_sub_unbind_unsqueeze_view_3(in_ptr0, in_ptr1, in_ptr2, out_ptr1, xnumel, XBLOCK : tl.constexpr):
    xnumel = 4096
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:]
    xmask = tl.full([XBLOCK], True, tl.int1)[:]
    x0 = (xindex % 2)
    x4 = xindex // 2
    x1 = ((xindex // 2) % 64)
    x3 = xindex
    tmp0 = x0
    tmp1 = tl.full([1], 0, tl.int64)
    tmp2 = tmp0 >= tmp1
    tmp3 = tl.full([1], 1, tl.int64)
    tmp4 = tmp0 < tmp3
    tmp5 = tl.load(in_ptr0 + (2*x4), tmp4, eviction_policy='evict_last', other=0.0)
    tmp6 = tmp5.to(tl.float32)
    tmp7 = tl.load(in_ptr1 + (2*x4), tmp4, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp8 = tmp6 * tmp7
    tmp9 = tmp8.to(tl.float32)
    tmp10 = tl.load(in_ptr2 + (2*x1), tmp4, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp11 = tmp10.to(tl.float32)
    tmp12 = tmp9 * tmp11
    tmp13 = tl.load(in_ptr0 + (1 + 2*x4), tmp4, eviction_policy='evict_last', other=0.0)
    tmp14 = tmp13.to(tl.float32)
    tmp15 = tl.load(in_ptr1 + (1 + 2*x4), tmp4, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp16 = tmp14 * tmp15
    tmp17 = tmp16.to(tl.float32)
    tmp18 = tl.load(in_ptr2 + (1 + 2*x1), tmp4, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp19 = tmp18.to(tl.float32)
    tmp20 = tmp17 * tmp19
    tmp21 = tmp12 - tmp20
    tmp22 = tl.full(tmp21.shape, 0.0, tmp21.dtype)
    tmp23 = tl.where(tmp4, tmp21, tmp22)
    tmp24 = tmp0 >= tmp3
    tmp25 = tl.full([1], 2, tl.int64)
    tmp26 = tmp0 < tmp25
    tmp27 = tl.load(in_ptr0 + (1 + 2*x4), tmp24, eviction_policy='evict_last', other=0.0)
    tmp28 = tmp27.to(tl.float32)
    tmp29 = tl.load(in_ptr1 + (1 + 2*x4), tmp24, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp30 = tmp28 * tmp29
    tmp31 = tmp30.to(tl.float32)
    tmp32 = tl.load(in_ptr2 + (2*x1), tmp24, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp33 = tmp32.to(tl.float32)
    tmp34 = tmp31 * tmp33
    tmp35 = tl.load(in_ptr0 + (2*x4), tmp24, eviction_policy='evict_last', other=0.0)
    tmp36 = tmp35.to(tl.float32)
    tmp37 = tl.load(in_ptr1 + (2*x4), tmp24, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp38 = tmp36 * tmp37
    tmp39 = tmp38.to(tl.float32)
    tmp40 = tl.load(in_ptr2 + (1 + 2*x1), tmp24, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp41 = tmp40.to(tl.float32)
    tmp42 = tmp39 * tmp41
    tmp43 = tmp34 + tmp42
    tmp44 = tl.full(tmp43.shape, 0.0, tmp43.dtype)
    tmp45 = tl.where(tmp24, tmp43, tmp44)
    tmp46 = tl.where(tmp4, tmp23, tmp45)
    tmp47 = tmp46.to(tl.float32)
    tl.store(out_ptr1 + (x3), tmp47, None)
