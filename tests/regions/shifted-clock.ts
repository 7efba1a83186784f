/*
 * Loaded into a site before its own code (NODE_OPTIONS=--import=...): a machine whose clock is wrong by
 * TEST_CLOCK_OFF_MS. Time that passes is right, as it is on such a machine.
 */

const offMs = Number(process.env.TEST_CLOCK_OFF_MS)
const RightDate = Date

class ShiftedDate extends RightDate {
  constructor(...given: [] | [number | string | Date] | Parameters<typeof Date.UTC>) {
    if (given.length === 0) super(ShiftedDate.now())
    else super(...(given as [number])) // Date's constructor has one signature a way to call it
  }

  static override now(): number {
    return RightDate.now() + offMs
  }
}

globalThis.Date = ShiftedDate as DateConstructor // calling it without new is nobody's habit here

export {}
