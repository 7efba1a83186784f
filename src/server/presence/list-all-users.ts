import { setImmediate } from 'node:timers/promises'
import type { Person } from '../../shared/accounts/protocol.ts'
import { foldSearch, type PeopleFilter } from '../../shared/presence/rules.ts'
import { PEOPLE_PER_PAGE } from '../../shared/rooms/protocol.ts'
import { toPerson, type UserRow } from '../accounts/queries.ts'
import type { AppContext } from '../app-context.ts'
import { nameAtOffset, usersInNameRange } from './queries.ts'

/**
 * So many names are looked through at a time, in a few milliseconds at worst; then whatever else waits has its turn.
 * One answer takes so many steps at most; whoever asks goes on from there.
 */
const STEPS = { size: 5_000, max: 40 }
/** Comes after every name. */
const AFTER_LAST_NAME = '\u{10FFFF}'

/** The next page of everyone who has a name on the site, by folded name. `next` is null at the end. */
export async function listAllUsers(
  world: Pick<AppContext, 'reader' | 'presence' | 'clock'>,
  { search = '', gender }: PeopleFilter,
  from = '',
  steps = STEPS,
): Promise<{ users: Person[]; next: string | null }> {
  const found: UserRow[] = []
  let after = from
  for (let step = 0; step < steps.max && after !== AFTER_LAST_NAME; step++) {
    if (step > 0) await setImmediate()
    const to = world.reader.get(nameAtOffset, { after, skip: steps.size - 1 })?.foldedName ?? AFTER_LAST_NAME
    const most = PEOPLE_PER_PAGE - found.length
    const some = world.reader.all(usersInNameRange, {
      after,
      to,
      part: foldSearch(search),
      gender: gender ?? null,
      most,
    })
    found.push(...some)
    after = (some.length === most ? some.at(-1)?.foldedName : to) ?? to
    if (some.length === most) break
  }
  const now = world.clock()
  return {
    users: found.map((row) => toPerson(row, world.presence.isOnline(row.id), now)),
    next: after === AFTER_LAST_NAME ? null : after,
  }
}
