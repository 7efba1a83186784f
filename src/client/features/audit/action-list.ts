import type { Action } from '../../../shared/audit/protocol.ts'
import { ACTIONS_NOT_LOADED } from '../../../shared/audit/texts.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import { signal } from '../../core/signals/signal.ts'
import { mergePage, type PagedItems } from '../../core/ui/lists/paged-items.ts'

export type ActionPage = PagedItems<Action, string>

/** The page at a cursor, or the first one; null when it failed. */
export type FetchActions = (before: string | null) => Promise<ActionPage | null>

/** Some entries of the action log. New ones are announced, so that what is being read stays in its place. */
export class ActionList {
  /** null before the first load. */
  readonly page = signal<ActionPage | null>(null)
  /** Whether the page lacks entries that were added since it was asked for. */
  readonly hasNew = signal(false)
  private readonly fetchPage: FetchActions
  /** The latest entry that was announced since the first page was asked for. */
  private announcedId = 0

  constructor(fetchPage: FetchActions) {
    this.fetchPage = fetchPage
  }

  /** Loads the page at a cursor, or the first one. Returns an error text in Turkish, or null. */
  async load(before: string | null): Promise<string | null> {
    if (before === null) {
      this.announcedId = 0
      this.hasNew.value = false
    }
    const page = await this.fetchPage(before)
    if (!page) return ACTIONS_NOT_LOADED
    this.page.value = mergePage(this.page.peek(), before, page)
    this.compare()
    return null
  }

  /** Watches for new entries until the returned function is called. */
  follow(live: Pick<LiveClient, 'on'>): () => void {
    const ends = [
      live.on('actionRecorded', ({ actionId }) => this.announce(actionId)),
      live.on('resync', () => this.announce(Number.POSITIVE_INFINITY)),
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  private announce(actionId: number): void {
    this.announcedId = Math.max(this.announcedId, actionId)
    this.compare()
  }

  /** An announced entry may be in the page already. */
  private compare(): void {
    const [latest] = this.page.peek()?.items ?? []
    this.hasNew.value = this.announcedId > (latest?.id ?? 0)
  }
}
