import * as v from 'valibot'
import { MAX_OPTION_LIRA } from './limits.ts'

/** A price or an amount of an option, in whole lira. */
export const OptionLira = v.pipe(
  v.number(),
  v.integer('Tutar tam lira olmalı.'),
  v.minValue(1, 'Tutar en az 1 ₺ olmalı.'),
  v.maxValue(MAX_OPTION_LIRA, 'Tutar en fazla 1.000.000 ₺ olabilir.'),
)
