import * as v from 'valibot'
import { Cursor, idText, loggedEvent, route } from '../protocol/define.ts'
import { LedgerTransactionId } from '../protocol/ids.ts'
import { BALANCE_READ_LIMIT, STATEMENT_EXPORT_LIMIT, STATEMENT_EXPORT_ROWS, STATEMENT_ROWS_PER_PAGE } from './limits.ts'
import { Lira } from './lira.ts'
import { StatementRow } from './statement/statement.ts'

/** `balance` is all that the user has; `withdrawable` the part of it that others gave, which alone may be paid out. */
const balanceFields = { balance: Lira, withdrawable: Lira }
const statementInput = v.object({ before: v.optional(idText(LedgerTransactionId)) })
const next = v.nullable(LedgerTransactionId)

export const events = {
  balanceUpdated: loggedEvent({
    description: "The user's balance in lira after a change; to the user's own connections.",
    payload: v.object(balanceFields),
  }),
}

export const routes = {
  balance: route({
    description: "The sender's balance in lira. Guests have no account.",
    method: 'GET',
    path: '/users/balance',
    access: 'member',
    limiter: BALANCE_READ_LIMIT,
    input: v.object({}),
    answer: v.object({ success: v.literal(true), ...balanceFields, cursor: Cursor }),
  }),
  statement: route({
    description:
      `The movements of the sender's balance, the latest first, ${STATEMENT_ROWS_PER_PAGE} at a time; \`next\` is the ` +
      '`before` of the next page, null on the last one.',
    method: 'GET',
    path: '/users/balance/statement',
    access: 'member',
    limiter: BALANCE_READ_LIMIT,
    input: statementInput,
    answer: v.object({ success: v.literal(true), rows: v.array(StatementRow), next, cursor: Cursor }),
  }),
  exportStatement: route({
    description:
      `The movements of the sender's balance as CSV, the latest first, ${STATEMENT_EXPORT_ROWS} rows at a time. The parts ` +
      'joined are one file; the first one has the head.',
    method: 'GET',
    path: '/users/balance/statement/csv',
    access: 'member',
    limiter: STATEMENT_EXPORT_LIMIT,
    input: statementInput,
    answer: v.object({ success: v.literal(true), csv: v.string(), next }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { StatementRow }
