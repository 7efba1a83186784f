import type { ActionFilter } from '../../../shared/audit/protocol.ts'
import { callApi } from '../../core/http/call-api.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import type { ActionPage } from './action-list.ts'

/** The entries of the action log by a filter: the page at a cursor, or the first one; null when it failed. */
export async function fetchActions(filter: ActionFilter, before: string | null): Promise<ActionPage | null> {
  const answer = await callApi<'actions'>(`/moderation/actions${queryOf(filter, before)}`, { as: 'admin' })
  return isFailure(answer) ? null : { items: answer.actions, next: answer.next }
}

function queryOf(filter: ActionFilter, before: string | null): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...filter, before: before ?? undefined })) {
    if (value !== undefined) query.set(name, value)
  }
  return query.size > 0 ? `?${query}` : ''
}
