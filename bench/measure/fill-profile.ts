import type Sqlite from 'better-sqlite3'

/** A member to create, with followers and posts. */
export interface ProfileFill {
  username: string
  followers: number
  posts: number
}

/** Creates a member, users who follow them, and posts. */
export function fillProfile(db: Sqlite.Database, { username, followers, posts }: ProfileFill): void {
  const now = Date.now()
  const ownId = Number(db.prepare('select max(id) + 1 from user').pluck().get())
  const numbers = 'with recursive number (n) as (select 1 union all select n + 1 from number where n < @count)'
  const fill = (count: number, insert: string, select: string) =>
    db.prepare(`insert into ${insert} ${numbers} ${select} from number`).run({ count })
  const addUsers = (count: number, id: string, name: string) =>
    fill(
      count,
      'user (id, username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)',
      `select ${id}, ${name}, ${name}, 0, 'member', 'web', ${now}, ${now}`,
    )
  db.transaction(() => {
    addUsers(1, `${ownId}`, `'${username}'`)
    addUsers(followers, `${ownId} + n`, `'izleyen.' || (${ownId} + n)`)
    fill(followers, 'follow (followerId, followingId, isAccepted, at)', `select ${ownId} + n, ${ownId}, 1, n`)
    fill(
      posts,
      `post (userId, type, path, sizeBytes, description, isArchived, createdAt, likeCount, commentCount, score,
        isReported, isPurging)`,
      `select ${ownId}, 'photo', 'resim.webp', 1000, 'Sahilde bir gün ' || n, 0, n, 0, 0, 0, 0, 0`,
    )
  })()
}
