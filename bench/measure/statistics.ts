/** One value per round, in the order of the rounds. */
export type Samples = number[]

export interface Summary {
  median: number
  /** The lowest and the highest round. */
  lowest: number
  highest: number
}

/** Median and spread. Throws a RangeError without samples. */
export function summarise(samples: Samples): Summary {
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return {
    median: (sampleAt(sorted, Math.floor(middle)) + sampleAt(sorted, Math.ceil(middle))) / 2,
    lowest: sampleAt(sorted, 0),
    highest: sampleAt(sorted, sorted.length - 1),
  }
}

/** Ratios of each round, so that noise that affects both in one round cancels out. Throws a RangeError when one is shorter. */
export function ratios(ours: Samples, theirs: Samples): Samples {
  return ours.map((value, round) => value / sampleAt(theirs, round))
}

function sampleAt(samples: Samples, index: number): number {
  const value = samples[index]
  if (value === undefined) throw new RangeError(`no sample ${index} of ${samples.length}`)
  return value
}

/**
 * Runs every subject once a round, in reversed order every other round, and collects the results.
 * Ratios of runs next to each other in time stay stable on a noisy machine.
 */
export async function interleave<R extends Record<string, () => Promise<unknown>>>(
  rounds: number,
  subjects: R,
): Promise<{ [N in keyof R]: Awaited<ReturnType<R[N]>>[] }> {
  const order = Object.entries(subjects)
  const results = new Map(order.map(([name]): [string, unknown[]] => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of round % 2 ? order.toReversed() : order) results.get(name)?.push(await run())
  }
  // Each name maps to the results of its function; Object.entries loses that type.
  return Object.fromEntries(results) as { [N in keyof R]: Awaited<ReturnType<R[N]>>[] }
}
