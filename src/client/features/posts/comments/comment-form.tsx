import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { MAX_COMMENT_LENGTH } from '../../../../shared/posts/limits.ts'
import type { Post } from '../../../../shared/posts/post.ts'
import { SendIcon } from '../../../core/ui/composer-icons.tsx'
import { readDraft, saveDraft } from '../../../model/conversation/composer/drafts.ts'
import { focusField } from '../../../model/media/focus-field.ts'
import { createPostMentionSource } from '../composing/mention-source.ts'
import { TextField } from '../composing/text-field.tsx'
import { sendComment } from '../posts-api.ts'
import { postFeed } from '../state.ts'
import '../../../core/ui/forms/field.css'

/** The field for a comment. A text that was not sent stays in it, also after a navigation. */
export function CommentForm({ post }: { post: Post }): ReactNode {
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
    <form ref={form} className="comment-form" noValidate onSubmit={(event) => void submit(event)}>
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
