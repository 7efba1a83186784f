import * as v from 'valibot'

/** Beyond every sum of the site; a kuruş of it is still exact. */
const MAX_LIRA = 1_000_000_000_000

/** An amount in lira, with its kuruş as a fraction. */
export const Lira = v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_LIRA))
/** A change of an amount. */
export const LiraChange = v.pipe(v.number(), v.minValue(-MAX_LIRA), v.maxValue(MAX_LIRA))
