/**
 * Places near the wanted ones, in the same order, each at least `gaps[i]` after the one before: the least squares solution, by
 * pooling neighbours that would overlap. Linear.
 */
export function spread(
  wanted: readonly number[],
  weights: readonly number[],
  gaps: readonly number[],
): number[] {
  const offsets: number[] = [];
  let offset = 0;
  for (let at = 0; at < wanted.length; at++) {
    if (at > 0) offset += gaps[at] as number;
    offsets.push(offset);
  }
  const pools: { sum: number; weight: number; size: number }[] = [];
  for (let at = 0; at < wanted.length; at++) {
    const weight = weights[at] as number;
    let pool = { sum: ((wanted[at] as number) - (offsets[at] as number)) * weight, weight, size: 1 };
    for (;;) {
      const last = pools.at(-1);
      if (!last || last.sum / last.weight <= pool.sum / pool.weight) break;
      pools.pop();
      pool = {
        sum: pool.sum + last.sum,
        weight: pool.weight + last.weight,
        size: pool.size + last.size,
      };
    }
    pools.push(pool);
  }
  const placed: number[] = [];
  for (const { sum, weight, size } of pools) {
    for (let index = 0; index < size; index++) placed.push(sum / weight + (offsets[placed.length] as number));
  }
  return placed;
}
