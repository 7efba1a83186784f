import { sql } from 'kysely'
import type { GenderFilter } from '../../../shared/presence/rules.ts'
import { query } from '../schema/query.ts'

/** The folded name that is `skip` names after the first one above `after`; only names that are held. */
export const nameAtOffset = query<{ after: string; skip: number }>()((db, p) =>
  db
    .selectFrom('user')
    .select('foldedName')
    .where('nameReleasedAt', 'is', null)
    .where('foldedName', '>', p('after'))
    .orderBy('foldedName')
    .limit(1)
    .offset(p('skip')),
)

/**
 * Users with a held name above `after` and up to `to` that contains `part`, filtered by gender if it is not null. The
 * index of held names answers the search, so that only matching rows are read.
 */
export const usersInNameRange = query<{
  after: string
  to: string
  part: string
  gender: GenderFilter | null
  limit: number
}>()((db, p) =>
  db
    .selectFrom('user')
    .selectAll()
    .where('nameReleasedAt', 'is', null)
    .where('foldedName', '>', p('after'))
    .where('foldedName', '<=', p('to'))
    .where(sql<boolean>`instr(foldedName, ${p('part')}) > 0`)
    .where(sql<boolean>`(${p('gender')} is null or gender = ${p('gender')})`)
    .orderBy('foldedName')
    .limit(p('limit')),
)

/** The ids of all ghost-banned users. */
export const ghostUsers = query()((db) => db.selectFrom('user').select('id').where('isGhost', '=', 1))
