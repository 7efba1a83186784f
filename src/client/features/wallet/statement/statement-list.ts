import type { LedgerTransactionId } from '../../../../shared/protocol/ids.ts'
import type { StatementRow } from '../../../../shared/wallet/statement.ts'
import { signal } from '../../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../../core/ui/lists/paged-items.ts'

export type StatementPage = PagedItems<StatementRow, LedgerTransactionId>

/** The viewer's movements, the latest first. Rows never change, so pages may come in any order. */
export class StatementList {
  /** null before the first load. */
  readonly list = signal<StatementPage | null>(null)
  private readonly fetchPage: (before: LedgerTransactionId | null) => Promise<StatementPage | string>

  /** `fetchPage` returns an error text in Turkish when it failed. */
  constructor(fetchPage: (before: LedgerTransactionId | null) => Promise<StatementPage | string>) {
    this.fetchPage = fetchPage
  }

  /** Loads the latest rows (null) and keeps the older ones that are known, or loads the next page. Returns an error text, or null. */
  async load(before: LedgerTransactionId | null = null): Promise<string | null> {
    const page = await this.fetchPage(before)
    if (typeof page === 'string') return page
    const known = this.list.peek()
    this.list.value = before === null ? withLatest(known, page) : mergePage(known, before, page)
    return null
  }
}

function withLatest(known: StatementPage | null, page: StatementPage): StatementPage {
  const newest = known?.items[0]
  const oldestOfPage = page.items.at(-1)
  const isContinued = newest && (page.next === null || (oldestOfPage && oldestOfPage.id <= newest.id))
  if (!known || !isContinued) return page
  return { items: [...page.items.filter(({ id }) => id > newest.id), ...known.items], next: known.next }
}
