/** One value per round, in the order of the rounds. */
export type Samples = number[]

export interface Summary {
  median: number
  /** The lowest and the highest round. */
  lowest: number
  highest: number
}

/** Median and spread. Throws when there is no sample. */
export function summarise(samples: Samples): Summary {
  const sorted = samples.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return {
    median: (sampleAt(sorted, Math.floor(middle)) + sampleAt(sorted, Math.ceil(middle))) / 2,
    lowest: sampleAt(sorted, 0),
    highest: sampleAt(sorted, sorted.length - 1),
  }
}

/** Round by round, so that what disturbed both in one round cancels out. */
export function ratios(ours: Samples, theirs: Samples): Samples {
  return ours.map((value, round) => value / sampleAt(theirs, round))
}

function sampleAt(samples: Samples, index: number): number {
  const value = samples[index]
  if (value === undefined) throw new RangeError(`no sample ${index} of ${samples.length}`)
  return value
}

/**
 * Runs every contender once a round, the order reversed every other round, and collects what each answered.
 * Side by side in time is what makes a ratio hold on a noisy machine.
 */
export async function interleave<R extends Record<string, () => Promise<unknown>>>(
  rounds: number,
  contenders: R,
): Promise<{ [N in keyof R]: Awaited<ReturnType<R[N]>>[] }> {
  const order = Object.entries(contenders)
  const results = new Map(order.map(([name]): [string, unknown[]] => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of round % 2 ? order.toReversed() : order) results.get(name)?.push(await run())
  }
  // Each name's results are of its own function; Object.entries forgets that.
  return Object.fromEntries(results) as { [N in keyof R]: Awaited<ReturnType<R[N]>>[] }
}
