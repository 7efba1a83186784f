/**
 * The share of pairs in which the value of `a` is the larger one, ties counted half: the statistic of Mann and Whitney over
 * its maximum. 0.5: neither sample is larger; 0 or 1: one is larger throughout.
 */
export function shareOfLarger(a: readonly number[], b: readonly number[]): number {
  const points = a.flatMap((x) => b.map((y) => (x > y ? 1 : x === y ? 0.5 : 0)))
  return points.reduce<number>((sum, point) => sum + point, 0) / (a.length * b.length)
}

/** The standard deviation of `shareOfLarger` when both samples are of one distribution. */
export function deviationOfShare(aCount: number, bCount: number): number {
  return Math.sqrt((aCount + bCount + 1) / (12 * aCount * bCount))
}
