import type Sqlite from 'better-sqlite3'
import { rowFiller } from './row-filler.ts'

/** A member to create, with posts; the newest of them has likes and comments of as many users. */
export interface PostsFill {
  username: string
  posts: number
  reactions: number
}

/** A member with posts, and the post that has likes and comments. */
export interface FilledPosts {
  userId: number
  postId: number
}

/** Creates a member with posts, and users who like the newest one and comment on it. */
export function fillPosts(db: Sqlite.Database, { username, posts, reactions }: PostsFill): FilledPosts {
  const userId = Number(db.prepare('select max(id) + 1 from user').pluck().get())
  const firstId = Number(db.prepare(`select lastId + 1 from postSequence where name = 'post'`).pluck().get())
  const firstCommentId = Number(db.prepare(`select lastId + 1 from postSequence where name = 'comment'`).pluck().get())
  const postId = firstId + posts - 1
  const { fill, addUsers } = rowFiller(db)
  db.transaction(() => {
    addUsers(1, `${userId}`, `'${username}'`)
    addUsers(reactions, `${userId} + n`, `'seven.' || (${userId} + n)`)
    fill(
      posts,
      `post (id, userId, type, path, sizeBytes, description, isArchived, createdAt, likeCount, commentCount, score,
        isReported, isPurging)`,
      `select ${firstId} - 1 + n, ${userId}, 'photo', 'resim.webp', 1000, 'Sahilde bir gün ' || n, 0, n, 0, 0, 0, 0, 0`,
    )
    fill(reactions, 'postLike (postId, userId, createdAt)', `select ${postId}, ${userId} + n, n`)
    fill(
      reactions,
      'postComment (id, postId, userId, content, createdAt)',
      `select ${firstCommentId} - 1 + n, ${postId}, ${userId} + n, 'Çok güzel olmuş ' || n, n`,
    )
    db.prepare(
      'update post set likeCount = @reactions, commentCount = @reactions, score = 3 * @reactions where id = @postId',
    ).run({
      reactions,
      postId,
    })
    db.prepare('insert into postTotal (userId, postCount) values (?, ?)').run(userId, posts)
    const setLast = db.prepare('update postSequence set lastId = ? where name = ?')
    setLast.run(postId, 'post')
    setLast.run(firstCommentId + reactions, 'comment')
  })()
  return { userId, postId }
}
