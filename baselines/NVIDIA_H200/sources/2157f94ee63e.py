@triton.jit
def triton_poi_fused__to_copy_add_index_copy_mm_mul_split_with_sizes_stack_sub_transpose_unbind_unsqueeze_view_2(in_ptr0, in_ptr1, in_ptr2, in_ptr3, out_ptr1, out_ptr2, xnumel, XBLOCK : tl.constexpr):
    xnumel = 4096
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:]
    xmask = tl.full([XBLOCK], True, tl.int1)[:]
    x0 = (xindex % 2)
    x4 = xindex // 2
    x1 = ((xindex // 2) % 64)
    x5 = xindex
    x2 = xindex // 128
    x3 = (xindex % 128)
    tmp78 = tl.load(in_ptr3 + (0))
    tmp79 = tl.broadcast_to(tmp78, [XBLOCK])
    tmp0 = x0
    tmp1 = tl.full([1], 0, tl.int64)
    tmp2 = tmp0 >= tmp1
    tmp3 = tl.full([1], 1, tl.int64)
    tmp4 = tmp0 < tmp3
    tmp5 = tl.load(in_ptr0 + (4096 + 2*x4), tmp4, eviction_policy='evict_last', other=0.0)
    tmp6 = tmp5.to(tl.float32)
    tmp7 = tl.load(in_ptr1 + (4096 + 2*x4), tmp4, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp8 = tmp6 * tmp7
    tmp9 = tmp8.to(tl.float32)
    tmp10 = tl.load(in_ptr2 + (2*x1), tmp4, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp11 = tmp10.to(tl.float32)
    tmp12 = tmp9 * tmp11
    tmp13 = tl.load(in_ptr0 + (4097 + 2*x4), tmp4, eviction_policy='evict_last', other=0.0)
    tmp14 = tmp13.to(tl.float32)
    tmp15 = tl.load(in_ptr1 + (4097 + 2*x4), tmp4, eviction_policy='evict_last', other=0.0).to(tl.float32)
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
    tmp27 = tl.load(in_ptr0 + (4097 + 2*x4), tmp24, eviction_policy='evict_last', other=0.0)
    tmp28 = tmp27.to(tl.float32)
    tmp29 = tl.load(in_ptr1 + (4097 + 2*x4), tmp24, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp30 = tmp28 * tmp29
    tmp31 = tmp30.to(tl.float32)
    tmp32 = tl.load(in_ptr2 + (2*x1), tmp24, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp33 = tmp32.to(tl.float32)
    tmp34 = tmp31 * tmp33
    tmp35 = tl.load(in_ptr0 + (4096 + 2*x4), tmp24, eviction_policy='evict_last', other=0.0)
    tmp36 = tmp35.to(tl.float32)
    tmp37 = tl.load(in_ptr1 + (4096 + 2*x4), tmp24, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp38 = tmp36 * tmp37
    tmp39 = tmp38.to(tl.float32)
    tmp40 = tl.load(in_ptr2 + (1 + 2*x1), tmp24, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp41 = tmp40.to(tl.float32)
    tmp42 = tmp39 * tmp41
    tmp43 = tmp34 + tmp42
    tmp44 = tl.full(tmp43.shape, 0.0, tmp43.dtype)
    tmp45 = tl.where(tmp24, tmp43, tmp44)
    tmp46 = tl.where(tmp4, tmp23, tmp45)
    tmp47 = tl.load(in_ptr0 + (2*x4), tmp4, eviction_policy='evict_last', other=0.0)
    tmp48 = tmp47.to(tl.float32)
    tmp49 = tl.load(in_ptr1 + (2*x4), tmp4, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp50 = tmp48 * tmp49
    tmp51 = tmp50.to(tl.float32)
    tmp52 = tmp51 * tmp11
    tmp53 = tl.load(in_ptr0 + (1 + 2*x4), tmp4, eviction_policy='evict_last', other=0.0)
    tmp54 = tmp53.to(tl.float32)
    tmp55 = tl.load(in_ptr1 + (1 + 2*x4), tmp4, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp56 = tmp54 * tmp55
    tmp57 = tmp56.to(tl.float32)
    tmp58 = tmp57 * tmp19
    tmp59 = tmp52 - tmp58
    tmp60 = tl.full(tmp59.shape, 0.0, tmp59.dtype)
    tmp61 = tl.where(tmp4, tmp59, tmp60)
    tmp62 = tl.load(in_ptr0 + (1 + 2*x4), tmp24, eviction_policy='evict_last', other=0.0)
    tmp63 = tmp62.to(tl.float32)
    tmp64 = tl.load(in_ptr1 + (1 + 2*x4), tmp24, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp65 = tmp63 * tmp64
    tmp66 = tmp65.to(tl.float32)
    tmp67 = tmp66 * tmp33
    tmp68 = tl.load(in_ptr0 + (2*x4), tmp24, eviction_policy='evict_last', other=0.0)
    tmp69 = tmp68.to(tl.float32)
    tmp70 = tl.load(in_ptr1 + (2*x4), tmp24, eviction_policy='evict_last', other=0.0).to(tl.float32)
    tmp71 = tmp69 * tmp70
    tmp72 = tmp71.to(tl.float32)
    tmp73 = tmp72 * tmp41
    tmp74 = tmp67 + tmp73
    tmp75 = tl.full(tmp74.shape, 0.0, tmp74.dtype)
    tmp76 = tl.where(tmp24, tmp74, tmp75)
    tmp77 = tl.where(tmp4, tmp61, tmp76)
    tmp80 = tl.full([XBLOCK], 208, tl.int32)
    tmp81 = tmp79 + tmp80
    tmp82 = tmp79 < 0
    tmp83 = tl.where(tmp82, tmp81, tmp79)
    tl.device_assert((0 <= tmp83) & (tmp83 < 208), "index out of bounds: 0 <= tmp83 < 208")
    tmp85 = tmp46.to(tl.float32)
    tl.store(out_ptr1 + (x5), tmp77, None)
    tl.store(out_ptr2 + (x3 + 128*tmp83 + 26624*x2), tmp85, None)
