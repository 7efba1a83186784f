/*
 * Loaded before the site's code (NODE_OPTIONS=--import=...): shifts the wall clock by TEST_CLOCK_OFF_MS.
 * Monotonic time stays right, as on a machine with a wrong clock.
 */

const clockSkewMs = Number(process.env.TEST_CLOCK_OFF_MS)
const RealDate = Date

class SkewedDate extends RealDate {
  constructor(...args: [] | [number | string | Date] | Parameters<typeof Date.UTC>) {
    if (args.length === 0) super(SkewedDate.now())
    else super(...(args as [number])) // Date has one overload for each form of its arguments
  }

  static override now(): number {
    return RealDate.now() + clockSkewMs
  }
}

globalThis.Date = SkewedDate as DateConstructor // this code never calls Date without new

export {}
