import { sql } from 'kysely'
import type { GenderFilter } from '../../shared/presence/rules.ts'
import { query } from '../database/query.ts'

/** The name that is `skip` held names further than the next one after `after`, by folded name. */
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
 * Who has a name after `after` and up to `to` in which `part` is, and is of the gender where one is asked for. The
 * index of held names answers the search, so that only the rows of those who are found are read.
 */
export const usersInNameRange = query<{
  after: string
  to: string
  part: string
  gender: GenderFilter | null
  most: number
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
    .limit(p('most')),
)
