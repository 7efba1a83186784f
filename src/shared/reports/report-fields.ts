import * as v from 'valibot'
import { Text } from '../protocol/define.ts'
import { MAX_REPORT_NOTE_LENGTH } from './limits.ts'
import { reportReasons } from './rules.ts'

/** The fields of every route that reports something. */
export const reportFields = {
  reason: v.optional(v.picklist(reportReasons), 'other'),
  note: v.optional(v.pipe(Text(MAX_REPORT_NOTE_LENGTH), v.trim()), ''),
}
