import { setImmediate } from 'node:timers/promises'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { routes } from '../../../shared/presence/protocol.ts'
import { foldSearch, type PeopleFilter } from '../../../shared/presence/rules.ts'
import { PEOPLE_PER_PAGE } from '../../../shared/rooms/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { toPerson, type UserRow } from '../../model/accounts/queries.ts'
import { nameAtOffset, usersInNameRange } from '../../model/presence/queries.ts'

/**
 * Names scanned per step, a few milliseconds at worst, after which the event loop handles other work; and steps per
 * request. The next request continues where this one ended.
 */
const STEPS = { size: 5_000, max: 40 }

/** Sorts after every name. */
const AFTER_LAST_NAME = '\u{10FFFF}'

/** `/api/users/all-users`: all users, for root admins. */
export function presenceRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.allUsers, async ({ input: { after, ...filter } }) => ({
    success: true as const,
    ...(await listAllUsers(appContext, filter, after)),
  }))
}

/** The next page of all users who hold a name, for root admins, by folded name; `next` is null at the end. */
export async function listAllUsers(
  appContext: Pick<AppContext, 'reader' | 'presence' | 'clock'>,
  { search = '', gender }: PeopleFilter,
  from = '',
  steps = STEPS,
): Promise<{ users: Person[]; next: string | null }> {
  const found: UserRow[] = []
  let after = from
  for (let step = 0; step < steps.max && after !== AFTER_LAST_NAME; step++) {
    if (step > 0) await setImmediate()
    const to = appContext.reader.get(nameAtOffset, { after, skip: steps.size - 1 })?.foldedName ?? AFTER_LAST_NAME
    const limit = PEOPLE_PER_PAGE - found.length
    const rows = appContext.reader.all(usersInNameRange, {
      after,
      to,
      part: foldSearch(search),
      gender: gender ?? null,
      limit,
    })
    found.push(...rows)
    after = (rows.length === limit ? rows.at(-1)?.foldedName : to) ?? to
    if (rows.length === limit) break
  }
  const now = appContext.clock()
  return {
    users: found.map((row) => ({
      ...toPerson(row, appContext.presence.isConnected(row.id), now),
      ...(appContext.presence.isGhost(row.id) && { isGhost: true as const }),
    })),
    next: after === AFTER_LAST_NAME ? null : after,
  }
}
