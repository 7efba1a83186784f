import { isFailure } from '../../../shared/protocol/result.ts'
import type { FilterEntry, FilterHit, HeldText } from '../../../shared/text-filters/protocol.ts'
import { filterTexts } from '../../../shared/text-filters/screen-texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { failureText } from '../../core/http/failure-text.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { toastIfFailed } from '../../core/http/toast-failure.ts'
import { live } from '../../core/live/state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { LiveList } from '../../core/signals/live-list.ts'
import { signal } from '../../core/signals/signal.ts'
import { heldTextCount } from './open-counts.ts'

export type EntryFields = Omit<FilterEntry, 'id' | 'pattern' | 'changedAt'>

/** What the shown entries contain. */
export const entrySearch = signal('')
/** All entries of the filter. */
export const entryTotal = signal(0)

const notLoaded = (): string => filterTexts.notLoaded

export const entryList = new LiveList<FilterEntry, number>({
  failureText: notLoaded,
  fetchPage: async (before) => {
    const query = new URLSearchParams({
      search: entrySearch.peek(),
      ...(before !== null && { before: String(before) }),
    })
    const answer = await callApi<'filterEntries'>(`/moderation/filter-entries?${query}`, { as: 'admin' })
    if (isFailure(answer)) return answer
    entryTotal.value = answer.total
    return { items: answer.entries, next: answer.next }
  },
})

export const heldTextList = new LiveList<HeldText, number>({
  failureText: notLoaded,
  fetchPage: async (after) => {
    const answer = await callApi<'heldTexts'>(`/moderation/held-texts${pageQuery(after, 'after')}`, { as: 'admin' })
    if (isFailure(answer)) return answer
    heldTextCount.value = answer.total
    return { items: answer.heldTexts, next: answer.next }
  },
})

export const hitList = new LiveList<FilterHit, number>({
  failureText: notLoaded,
  fetchPage: async (before) => {
    const answer = await callApi<'filterHits'>(`/moderation/filter-hits${pageQuery(before)}`, { as: 'admin' })
    return isFailure(answer) ? answer : { items: answer.hits, next: answer.next }
  },
})

live.on('textFilterChanged', ({ part, heldCount }) => {
  heldTextCount.value = heldCount
  if (part === 'entries') void entryList.refresh()
  if (part === 'heldTexts') void heldTextList.refresh()
})
live.on('resync', () => {
  void entryList.reload()
  void heldTextList.reload()
})

/** Shows the entries that contain a text. */
export function searchEntries(search: string): void {
  if (search === entrySearch.peek()) return
  entrySearch.value = search
  // Those of the earlier search stay until the answer.
  entryList.reset(entryList.list.peek())
  void entryList.load(null)
}

/** Adds patterns with the same fields. Returns an error text in Turkish, or null. */
export async function addEntries(patterns: string[], fields: EntryFields): Promise<string | null> {
  const body = { patterns, ...fields }
  const answer = await callApi<'addFilterEntries'>('/moderation/filter-entries', { as: 'admin', body })
  if (isFailure(answer)) return failureText(answer, filterTexts.notSaved)
  void entryList.refresh()
  return null
}

/** Changes an entry. Returns an error text in Turkish, or null. */
export async function changeEntry(id: number, pattern: string, fields: EntryFields): Promise<string | null> {
  const path = `/moderation/filter-entries/${id}`
  const answer = await callApi<'changeFilterEntry'>(path, { as: 'admin', method: 'PUT', body: { pattern, ...fields } })
  if (isFailure(answer)) return failureText(answer, filterTexts.notSaved)
  await entryList.refresh()
  return null
}

/** Deletes an entry; a failure is shown in a toast. Returns whether it succeeded. */
export async function deleteEntry(id: number): Promise<boolean> {
  const path = `/moderation/filter-entries/${id}`
  if (
    toastIfFailed(await callApi<'deleteFilterEntry'>(path, { as: 'admin', method: 'DELETE' }), filterTexts.notDeleted)
  )
    return false
  entryList.remove((entry) => entry.id === id)
  return true
}

/** Sends or deletes a waiting text; the result is shown in a toast. Returns whether it succeeded. */
export async function decideHeldText(id: number, decision: 'release' | 'discard'): Promise<boolean> {
  const path = '/moderation/held-texts/decide'
  const answer = await callApi<'decideHeldText'>(path, { as: 'admin', body: { id, decision } })
  if (toastIfFailed(answer, filterTexts.notDecided)) return false
  void toast(decision === 'release' ? filterTexts.released : filterTexts.discarded, 'success')
  heldTextList.remove((held) => held.id === id)
  return true
}

/** The direct message that waits, which the server records as read; null when it failed, as a toast says. */
export async function readHeldText(id: number): Promise<string | null> {
  const answer = await callApi<'readHeldText'>('/moderation/held-texts/read', { as: 'admin', body: { id } })
  return toastIfFailed(answer, filterTexts.notLoaded) ? null : answer.text
}
