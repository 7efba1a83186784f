import type Sqlite from 'better-sqlite3'

/** Functions that insert many rows with one statement; in their SQL expressions `n` counts from 1 to `count`. */
export function rowFiller(db: Sqlite.Database) {
  const now = Date.now()
  const numbers = 'with recursive number (n) as (select 1 union all select n + 1 from number where n < @count)'
  const fill = (count: number, insert: string, select: string) =>
    db.prepare(`insert into ${insert} ${numbers} ${select} from number`).run({ count })
  const addUsers = (count: number, id: string, name: string) =>
    fill(
      count,
      'user (id, username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)',
      `select ${id}, ${name}, ${name}, 0, 'member', 'web', ${now}, ${now}`,
    )
  return { fill, addUsers }
}
