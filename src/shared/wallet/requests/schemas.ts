import * as v from 'valibot'
import { idText, Text } from '../../protocol/define.ts'
import { MoneyRequestId } from '../../protocol/ids.ts'
import { plainText } from '../../text/plain-text.ts'
import { REQUEST_DECISION_LIMIT } from './limits.ts'
import { MoneyRequest } from './request.ts'

/** What the routes have in common by which root admins approve and reject. */
export const decisionRoute = {
  method: 'POST',
  access: 'rootadmin',
  limiter: REQUEST_DECISION_LIMIT,
  retry: 'idempotencyKey',
  input: v.object({ id: idText(MoneyRequestId) }),
  answer: v.object({ success: v.literal(true), message: v.string() }),
} as const

/** What the events have in common that bring a request to its owner. */
export const ownRequestEvent = { payload: MoneyRequest }

/** The name on a bank account, or a part of it, on one line. @param missing the text when it is blank */
/* @__NO_SIDE_EFFECTS__ */
export const AccountName = (maxLength: number, missing: string) =>
  v.pipe(
    Text(maxLength, missing),
    v.transform((name) => plainText(name).replace(/\s+/g, ' ').trim()),
    v.minLength(1, missing),
  )
