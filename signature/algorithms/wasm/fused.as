// Whether relaxed multiply-add rounds once here: (2^27 + 1)² = 2^54 + 2^28 + 1 does not fit a double, so the last 1 is
// left only by a fused operation. A machine without relaxed SIMD does not even take the module.
export function isFused(): bool {
  const factor: v128 = f64x2.splat(134217729.0);
  const rest: v128 = f64x2.relaxed_madd(factor, factor, f64x2.splat(-18014398777917440.0));
  return f64x2.extract_lane(rest, 0) == 1.0 && f64x2.extract_lane(rest, 1) == 1.0;
}
