import { type FormEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { GHOST_MARK } from '../../../../shared/moderation/ghost-mark.ts'
import { MAX_COMMENT_LENGTH } from '../../../../shared/posts/limits.ts'
import type { Post, PostComment } from '../../../../shared/posts/post.ts'
import { live } from '../../../core/live/state.ts'
import { session } from '../../../core/session/session.ts'
import { openOverlay } from '../../../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { SendIcon } from '../../../core/ui/composer-icons.tsx'
import { countText } from '../../../core/ui/format/turkish-number.ts'
import { clockTime, dayName } from '../../../core/ui/format/turkish-time.ts'
import { Avatar } from '../../../core/ui/person/avatar.tsx'
import { RichText } from '../../../core/ui/rich-text.tsx'
import { readDraft, saveDraft } from '../../../model/conversation/composer/drafts.ts'
import { focusField } from '../../../model/media/focus-field.ts'
import { TrashIcon } from '../../../model/media/icons.tsx'
import { createPostMentionSource } from '../composing/mention-source.ts'
import { TextField } from '../composing/text-field.tsx'
import { sendComment } from '../posts-api.ts'
import { createCommentList, postFeed } from '../state.ts'
import '../../../core/ui/forms/field.css'

/** The latest comments of a post, as they come with it. */
export function CommentPreview({ post, onOpen }: { post: Post; onOpen: () => void }): ReactNode {
  const { Comments, commentCount } = post
  if (Comments.length === 0) return null
  return (
    <div className="post-comments">
      {commentCount > Comments.length && (
        <button type="button" className="link-button" onClick={onOpen}>
          {countText(commentCount)} yorumun tümünü gör
        </button>
      )}
      <CommentRows post={post} comments={Comments} />
    </div>
  )
}

/** All comments of a post, and the field for another one. */
export function PostComments({ post }: { post: Post }): ReactNode {
  const { id, userId } = post
  const store = useMemo(() => createCommentList({ id, userId }), [id, userId])
  useEffect(() => store.open(), [store])
  const list = useSignalValue(store.list, null)
  const failure = useSignalValue(store.failure, null)
  const isLoading = useSignalValue(store.isLoading, false)
  const comments = list?.items ?? post.Comments
  return (
    <section className="post-comments" aria-label="Yorumlar" aria-busy={isLoading}>
      {failure !== null && <p role="alert">{failure}</p>}
      {isLoading && <span className="spinner" role="status" aria-label="Yorumlar yükleniyor" />}
      {!isLoading && (failure !== null || (list && list.next !== null)) && (
        <button type="button" className="link-button" onClick={() => void store.loadOlder()}>
          {failure === null ? 'Önceki yorumlar' : 'Tekrar dene'}
        </button>
      )}
      {list !== null && comments.length === 0 && <p className="soft small">Henüz yorum yok.</p>}
      <CommentRows post={post} comments={comments} />
      {session.isGuest() ? <p className="soft small">Yorum yapmak için üye olmalısın.</p> : <CommentForm post={post} />}
    </section>
  )
}

function CommentRows({ post, comments }: { post: Post; comments: readonly PostComment[] }): ReactNode {
  if (comments.length === 0) return null
  return (
    <ul className="stack gap-3">
      {comments.map((comment) => (
        <CommentRow key={comment.id} post={post} comment={comment} />
      ))}
    </ul>
  )
}

function CommentRow({ post, comment }: { post: Post; comment: PostComment }): ReactNode {
  const { User, content, createdAt, isGhost } = comment
  const canDelete = session.isSelf(User.id) || session.isSelf(post.userId)
  return (
    <li className="row top">
      <Avatar user={User} size={32} />
      <div className="grow">
        <p className="row baseline comment-head">
          {/* The page opens the profile of a clicked `data-person`. */}
          <button type="button" data-person={User.username} aria-haspopup="dialog">
            <bdi>{User.username}</bdi>
          </button>
          <time className="fixed faint tiny tabular" dateTime={new Date(createdAt).toISOString()}>
            {isGhost && <b>{GHOST_MARK} · </b>}
            {dayName(createdAt, live.serverNow())} {clockTime(createdAt)}
          </time>
        </p>
        <p dir="auto">
          <RichText text={content} viewerName={session.user?.username ?? ''} />
        </p>
      </div>
      {canDelete && (
        <button
          type="button"
          className="icon-button"
          aria-label={`Yorumu sil: ${User.username}`}
          title="Yorumu sil"
          onClick={() => void openOverlay('deleteComment', { post, comment })}
        >
          <TrashIcon size={16} />
        </button>
      )}
    </li>
  )
}

/** The field for a comment. A text that was not sent stays in it, also after a navigation. */
function CommentForm({ post }: { post: Post }): ReactNode {
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const { text, type, problem, isSending, send } = useComment(post)
  const commenters = useRef(post.Comments)
  commenters.current = post.Comments
  const loadMentionSource = useCallback(
    async () => createPostMentionSource(commenters.current.map(({ User }) => User)),
    [],
  )
  useEffect(() => focusField(form.current), [])
  const submit = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault()
    // The new comment above moves the form down.
    if (await send()) requestAnimationFrame(() => form.current?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        field={field}
        label="Yorum yaz"
        text={text}
        maxLength={MAX_COMMENT_LENGTH}
        isDisabled={isSending}
        loadMentionSource={loadMentionSource}
        onType={type}
        onEnter={() => void submit()}
      >
        <SendButton isReady={text.trim() !== ''} isSending={isSending} />
      </TextField>
      {problem !== null && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

function SendButton({ isReady, isSending }: { isReady: boolean; isSending: boolean }): ReactNode {
  return (
    <button
      type="submit"
      className="composer-send"
      aria-label="Yorumu gönder"
      data-ready={isReady && !isSending}
      // The field keeps the focus, so the phone's keyboard stays.
      onPointerDown={(event) => event.preventDefault()}
    >
      {isSending ? <span className="spinner" /> : <SendIcon />}
    </button>
  )
}

/** The text of a comment, and why the last one was not sent. */
function useComment({ id, userId }: Post) {
  const draftKey = `draft:post:${id}`
  const [text, setText] = useState(() => readDraft(draftKey))
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const type = (typed: string): void => {
    setText(typed)
    setProblem(null)
    saveDraft(draftKey, typed)
  }
  /** Returns whether the comment was sent. */
  const send = async (): Promise<boolean> => {
    if (isSending || text.trim() === '') return false
    setSending(true)
    const answer = await sendComment(id, text)
    setSending(false)
    if (typeof answer === 'string') {
      setProblem(answer)
      return false
    }
    type('')
    postFeed.emitOwn(userId, { kind: 'commented', comment: answer })
    return true
  }
  return { text, type, problem, isSending, send }
}
