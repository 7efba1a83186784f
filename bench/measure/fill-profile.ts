import type Sqlite from 'better-sqlite3'
import { rowFiller } from './row-filler.ts'

/** A member to create, with followers and posts. */
export interface ProfileFill {
  username: string
  followers: number
  posts: number
}

/** Creates a member, users who follow them, and posts. */
export function fillProfile(db: Sqlite.Database, { username, followers, posts }: ProfileFill): void {
  const ownId = Number(db.prepare('select max(id) + 1 from user').pluck().get())
  const { fill, addUsers } = rowFiller(db)
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
