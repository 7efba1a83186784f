import type { RequestFilter, ReviewedRequest } from '../../../../shared/wallet/requests/protocol.ts'
import { requestStatusTexts } from '../../../../shared/wallet/requests/request.ts'
import { requestKindLabels } from '../../../../shared/wallet/requests/texts.ts'
import { MAX_EXPORTED_REQUESTS } from '../../../../shared/wallet/withdrawals/limits.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import { amountCell, timeCell, toCsv } from '../csv.ts'
import { listRequests } from './review-queries.ts'

const HEAD = [
  'Tür',
  'No',
  'Kullanıcı',
  'Tutar (₺)',
  'Durum',
  'Talep zamanı',
  'Karar zamanı',
  'Karar veren',
  'Hesap sahibi',
  'IBAN',
]

/** The latest requests of a filter as CSV. */
export function exportRequests(
  reader: Pick<Reader, 'all'>,
  filter: RequestFilter,
): { csv: string; count: number; isCut: boolean } {
  const { requests, next } = listRequests(reader, { ...filter, limit: MAX_EXPORTED_REQUESTS })
  return { csv: toCsv([HEAD, ...requests.map(toCells)]), count: requests.length, isCut: next !== null }
}

function toCells(request: ReviewedRequest): string[] {
  const { kind, id, username, amount, status, createdAt, decidedAt, decidedBy, accountName, iban } = request
  return [
    requestKindLabels[kind],
    String(id),
    username,
    amountCell(amount),
    requestStatusTexts[status],
    timeCell(createdAt),
    decidedAt === null ? '' : timeCell(decidedAt),
    decidedBy ?? '',
    accountName,
    iban ?? '',
  ]
}
