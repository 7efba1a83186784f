import type { LedgerTransactionId } from '../../../../shared/protocol/ids.ts'
import { EXPORT_FAILED, STATEMENT_FILE_NAME, STATEMENT_NOT_LOADED } from '../../../../shared/wallet/statement-texts.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { failureText } from '../../../core/http/failure-text.ts'
import { isFailure } from '../../../core/http/is-failure.ts'
import { pageQuery } from '../../../core/http/page-query.ts'
import { saveCsv } from './save-csv.ts'
import type { StatementPage } from './statement-list.ts'

/** Parts of one exported file; a longer statement is cut. */
const MAX_PARTS = 50

/** A page of the viewer's statement, or an error text in Turkish. */
export async function fetchStatement(before: LedgerTransactionId | null): Promise<StatementPage | string> {
  const answer = await callApi<'statement'>(`/users/balance/statement${pageQuery(before)}`, { as: 'user' })
  if (isFailure(answer)) return failureText(answer, STATEMENT_NOT_LOADED)
  return { items: answer.rows, next: answer.next }
}

/** Saves the viewer's statement as a file. Returns an error text in Turkish, or whether the file is cut. */
export async function saveStatement(): Promise<string | { isCut: boolean }> {
  const parts: string[] = []
  let before: LedgerTransactionId | null = null
  do {
    const answer = await fetchPart(before)
    if (isFailure(answer)) return failureText(answer, EXPORT_FAILED)
    parts.push(answer.csv)
    before = answer.next
  } while (before !== null && parts.length < MAX_PARTS)
  saveCsv(parts, STATEMENT_FILE_NAME)
  return { isCut: before !== null }
}

function fetchPart(before: LedgerTransactionId | null) {
  return callApi<'exportStatement'>(`/users/balance/statement/csv${pageQuery(before)}`, { as: 'user' })
}
