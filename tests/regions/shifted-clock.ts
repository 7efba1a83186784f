/*
 * Loaded into a site before its own code (NODE_OPTIONS=--import=...): a machine whose clock is wrong by
 * TEST_CLOCK_OFF_MS. Time that passes is right, as it is on such a machine.
 */

const clockSkewMs = Number(process.env.TEST_CLOCK_OFF_MS)
const RealDate = Date

class SkewedDate extends RealDate {
  constructor(...given: [] | [number | string | Date] | Parameters<typeof Date.UTC>) {
    if (given.length === 0) super(SkewedDate.now())
    else super(...(given as [number])) // Date's constructor has one signature a way to call it
  }

  static override now(): number {
    return RealDate.now() + clockSkewMs
  }
}

globalThis.Date = SkewedDate as DateConstructor // calling it without new is nobody's habit here

export {}
