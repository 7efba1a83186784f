import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { Person } from '../../../../shared/accounts/protocol.ts'
import { MAX_DESCRIPTION_LENGTH } from '../../../../shared/posts/limits.ts'
import { canPost } from '../../../../shared/posts/rules.ts'
import { POST_CREATED_TEXT, PREMIUM_REQUIRED_TEXT } from '../../../../shared/posts/texts.ts'
import { isFailure, type Result } from '../../../../shared/protocol/result.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { DiscardPrompt } from '../../../core/ui/dialogs/discard-prompt.tsx'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { RadioList } from '../../../core/ui/forms/radio-list.tsx'
import { useOwnProfile } from '../../../model/profiles/use-own-profile.ts'
import { NEW_POST_TITLE } from '../texts.ts'
import { createPostMentionSource } from './mention-source.ts'
import { NewPostFile } from './new-post-file.tsx'
import { TextField } from './text-field.tsx'
import '../../../core/ui/forms/field.css'
import './new-post.lazy.css'
import type { Post } from '../../../../shared/posts/post.ts'
import type { RouteAnswer } from '../../../../shared/protocol/catalogue.ts'
import { browserEnvironment } from '../../../core/platform/environment.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { PictureIcon, VideoIcon } from '../../../model/media/icons.tsx'
import { prepareFile } from '../../../model/media/upload/prepare-file.ts'
import { discardUpload } from '../../../model/media/upload/resumable-upload.ts'
import { type UploadCall, uploadForm } from '../../../model/media/upload/upload-file.ts'
import { postFeed } from '../state.ts'
import { PostDraft, type PostUpload } from './post-draft.ts'

/** The two types of posts as the new-post form offers them. */
const POST_TYPES = [
  { value: 'photo', label: 'Fotoğraf', icon: <PictureIcon size={18} /> },
  { value: 'video', label: 'Video', icon: <VideoIcon size={18} /> },
] as const

const loadMentionSource = async () => createPostMentionSource()

/** 'Yeni Paylaşım': a photo or a video with a description. */
export function NewPostDialog({ viewer: opened, onClose }: OverlayProps & { viewer: Person }): ReactNode {
  const mayPost = canPost(useOwnProfile(opened))
  const { draft, description, describe, isLeaving, stay, leave } = useNewPost(onClose)
  const type = useSignalValue(draft.type, draft.type.peek())
  const isSending = useSignalValue(draft.status, draft.status.peek()).state === 'sending'
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    stay()
    if (mayPost) void draft.send(description)
    if (draft.problem.peek() !== null) event.currentTarget.querySelector<HTMLElement>('[data-post-file]')?.focus()
  }
  return (
    <Modal title={NEW_POST_TITLE} isFullScreen onClose={leave}>
      <form className="stack gap-4 new-post" noValidate onSubmit={submit}>
        <RadioList legend="Tür" options={POST_TYPES} value={type} onChange={(chosen) => draft.setType(chosen)} />
        <NewPostFile draft={draft} />
        <DescriptionField text={description} isDisabled={isSending} onType={describe} />
        {!mayPost && (
          <p className="field-error" role="alert">
            {PREMIUM_REQUIRED_TEXT}
          </p>
        )}
        {isLeaving ? (
          <DiscardPrompt leaveLabel="Paylaşmadan çık" stay={stay} leave={onClose}>
            {isSending ? 'Gönderin henüz yüklenmedi.' : 'Paylaşmadığın bir gönderin var.'}
          </DiscardPrompt>
        ) : (
          <NewPostActions draft={draft} onLeave={leave} />
        )}
      </form>
    </Modal>
  )
}

/** The state of the form; it closes when the post is published. */
function useNewPost(onClose: () => void) {
  const draft = useMemo(createPostDraft, [])
  const [description, setDescription] = useState('')
  const [isLeaving, setLeaving] = useState(false)
  const { state } = useSignalValue(draft.status, draft.status.peek())
  useEffect(() => () => draft.close(), [draft])
  useEffect(() => {
    if (state === 'sent') onClose()
  }, [state, onClose])
  const describe = (typed: string): void => {
    setDescription(typed)
    setLeaving(false)
    draft.onEdited()
  }
  /** Asks once before what was entered is lost. */
  const leave = (): void => {
    const isEmpty = draft.file.peek() === null && description.trim() === ''
    if (isEmpty || isLeaving) onClose()
    else setLeaving(true)
  }
  return { draft, description, describe, isLeaving, stay: () => setLeaving(false), leave }
}

interface DescriptionFieldProps {
  text: string
  isDisabled: boolean
  onType: (text: string) => void
}

function DescriptionField(props: DescriptionFieldProps): ReactNode {
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <div className="field">
      <span className="field-label" aria-hidden="true">
        Açıklama
      </span>
      <TextField
        {...props}
        field={field}
        label="Bir açıklama ekle"
        maxLength={MAX_DESCRIPTION_LENGTH}
        rows={3}
        loadMentionSource={loadMentionSource}
      />
    </div>
  )
}

/** The progress of the upload, why it failed, and the buttons. */
function NewPostActions({ draft, onLeave }: { draft: PostDraft; onLeave: () => void }): ReactNode {
  const status = useSignalValue(draft.status, draft.status.peek())
  const isSending = status.state === 'sending'
  const percent = status.state === 'sending' ? Math.floor(status.share * 100) : 0
  return (
    <>
      {status.state === 'failed' && (
        <p className="field-error" role="alert">
          {status.reason}
        </p>
      )}
      {isSending && (
        <div
          role="progressbar"
          aria-label="Gönderi yükleniyor"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <span style={{ scale: `${status.share} 1` }} />
        </div>
      )}
      <div className="buttons">
        <button type="button" className="button" onClick={isSending ? () => draft.cancel() : onLeave}>
          {isSending ? 'Yüklemeyi durdur' : 'Vazgeç'}
        </button>
        <button type="submit" className="button button--accent" aria-disabled={isSending}>
          {isSending && <span className="spinner" />}
          {isSending && (percent < 100 ? `%${percent}` : 'Hazırlanıyor...')}
          {!isSending && (status.state === 'failed' ? 'Tekrar dene' : 'Paylaş')}
        </button>
      </div>
    </>
  )
}

/** A new post of this tab. */
function createPostDraft(): PostDraft {
  return new PostDraft({
    makeKey: browserEnvironment.uuid,
    createUrl: (file) => URL.createObjectURL(file),
    revokeUrl: (url) => URL.revokeObjectURL(url),
    prepare: prepareFile,
    upload,
    discardUpload,
    onSent: (post) => {
      postFeed.emitOwn(post.userId, { kind: 'created', post })
      void toast(POST_CREATED_TEXT, 'success')
    },
  })
}

async function upload(post: PostUpload, call: UploadCall): Promise<Result<Post>> {
  const form = (uploadId: string | null): FormData => toForm(post, uploadId)
  const answer = await uploadForm<RouteAnswer<'createPost'>>('/posts', post.file.blob, form, call, true)
  return isFailure(answer) ? answer : answer.post
}

/** A form as `POST /posts` reads it. Width, height and duration are those of a video. */
function toForm({ type, description, file }: PostUpload, uploadId: string | null): FormData {
  const form = new FormData()
  form.set('type', type)
  form.set('description', description)
  const { blob, name, poster, width, height, durationMs } = file
  if (type === 'video') {
    for (const [field, value] of Object.entries({ width, height, durationMs }))
      if (value) form.set(field, String(value))
    if (poster) form.set('poster', poster)
  }
  if (uploadId === null) form.set('file', blob, name)
  else form.set('uploadId', uploadId)
  return form
}
