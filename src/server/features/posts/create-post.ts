import { MAX_DESCRIPTION_LENGTH, MAX_DESCRIPTION_LINES } from '../../../shared/posts/limits.ts'
import type { Post } from '../../../shared/posts/post.ts'
import { canPost } from '../../../shared/posts/rules.ts'
import { POST_CREATED_TEXT, PREMIUM_REQUIRED_TEXT } from '../../../shared/posts/texts.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { replaceShortcodes } from '../../../shared/text/emoji.ts'
import { limitLines, plainText } from '../../../shared/text/plain-text.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import { audienceOfActor } from '../../kernel/database/events/actor-audience.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { NO_BLOCKS } from '../../kernel/live/visibility.ts'
import { toUserSummary, userById } from '../../model/accounts/queries.ts'
import { scopeOfPost } from '../../model/posts/event-scope.ts'
import { findPost, type PostRow, toPost } from '../../model/posts/queries.ts'
import { postsStream } from '../../model/posts/streams.ts'
import { changePostTotal, nextId } from '../../model/posts/transactions.ts'
import { insertRow } from '../../model/schema/query.ts'
import { screenText } from '../../model/text-screening/transactions.ts'

/** A post whose files are stored; the paths are names below `/uploads/`. */
export type NewPost = Pick<
  PostRow,
  | 'type'
  | 'path'
  | 'mediumPath'
  | 'thumbnailPath'
  | 'sizeBytes'
  | 'width'
  | 'height'
  | 'durationMs'
  | 'blur'
  | 'description'
>

const insertPost = insertRow(
  'post',
  [
    'id',
    'userId',
    'type',
    'path',
    'mediumPath',
    'thumbnailPath',
    'sizeBytes',
    'width',
    'height',
    'durationMs',
    'blur',
    'description',
    'createdAt',
    'audience',
  ],
  { isArchived: 0, likeCount: 0, commentCount: 0, score: 0, isReported: 0, deletedAt: null, isPurging: 0 },
)
const insertFile = insertRow('postFile', ['path', 'postId'])

/** Publishes a post of the actor. Refuses with Forbidden unless they are premium or a root admin. */
export const createPost = defineCommand({
  name: 'createPost',
  run(tx: Transaction, actor: Actor | null, input: NewPost): { success: true; message: string; post: Post } | Refusal {
    const user = actor && tx.get(userById, { id: actor.userId })
    if (!user) return refuse('NotSignedIn')
    if (!canPost(toUserSummary(user, tx.now))) return refuse('Forbidden', { message: PREMIUM_REQUIRED_TEXT })
    const text = limitLines(replaceShortcodes(plainText(input.description)), MAX_DESCRIPTION_LINES)
    const place = { kind: 'post' } as const
    const description = screenText(tx, { sender: user, place, text, maxLength: MAX_DESCRIPTION_LENGTH })
    if (description instanceof Refusal) return description
    const id = nextId(tx, 'post')
    const author = { userId: user.id, audience: audienceOfActor(tx.cached, user.id) }
    tx.run(insertPost, { ...input, description, id, createdAt: tx.now, ...author })
    const paths = [input.path, input.mediumPath, input.thumbnailPath].filter((path) => path !== null)
    // A tiny picture has the same bytes in all sizes.
    for (const path of new Set(paths)) tx.run(insertFile, { path, postId: id })
    changePostTotal(tx, author, 1)
    const row = findPost(tx, id)
    if (!row) throw new Error(`the post ${id} has no row`)
    const post = toPost(tx, { userId: user.id, role: user.role, blockedIds: NO_BLOCKS }, row)
    tx.emit({ stream: postsStream(user.id), name: 'postCreated', payload: { post }, ...scopeOfPost(row) })
    return { success: true, message: POST_CREATED_TEXT, post }
  },
})
