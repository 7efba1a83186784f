import type { Action, ActionFilter } from '../../shared/audit/protocol.ts'
import { ACTIONS_NOT_LOADED } from '../../shared/audit/texts.ts'
import { callApi } from '../http/call-api.ts'
import { isFailure } from '../http/is-failure.ts'
import { live } from '../live/state.ts'
import { signal } from '../signal.ts'
import { mergePage, type PagedItems } from '../ui/lists/paged-items.ts'

/** The entries of the action log by a filter. New ones are announced, so that what is being read stays in its place. */
export class ActionList {
  /** null before the first load. */
  readonly page = signal<PagedItems<Action, string> | null>(null)
  /** Whether entries were added since the first page was loaded. */
  readonly hasNew = signal(false)
  private readonly filter: ActionFilter

  constructor(filter: ActionFilter) {
    this.filter = filter
  }

  /** Loads the page at a cursor, or the first one. Answers an error text in Turkish, or null. */
  async load(before: string | null): Promise<string | null> {
    if (before === null) this.hasNew.value = false
    const answer = await callApi<'actions'>(`/moderation/actions${queryOf(this.filter, before)}`, { as: 'admin' })
    if (isFailure(answer)) return ACTIONS_NOT_LOADED
    this.page.value = mergePage(this.page.peek(), before, { items: answer.actions, next: answer.next })
    return null
  }

  /** Watches for new entries until the returned function is called. */
  follow(): () => void {
    const announce = (): void => {
      this.hasNew.value = true
    }
    const ends = [live.on('actionRecorded', announce), live.on('resync', announce)]
    return () => {
      for (const end of ends) end()
    }
  }
}

function queryOf(filter: ActionFilter, before: string | null): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filter, before: before ?? undefined })) {
    if (value !== undefined) query.set(name, value)
  }
  return query.size > 0 ? `?${query}` : ''
}
