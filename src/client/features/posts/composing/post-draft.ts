import type { MediaType } from '../../../../shared/media/media.ts'
import { FILE_TOO_LARGE, MAX_FILE_BYTES } from '../../../../shared/media/rules.ts'
import { MAX_VIDEO_BYTES } from '../../../../shared/posts/limits.ts'
import type { Post, PostType } from '../../../../shared/posts/post.ts'
import { fileTypeRefusals, POST_FILE_MISSING_TEXT, VIDEO_TOO_LARGE_TEXT } from '../../../../shared/posts/texts.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import type { Result } from '../../../../shared/protocol/result.ts'
import { batch, signal } from '../../../core/signals/signal.ts'
import type { OutgoingFile } from '../../../model/media/upload/outgoing-file.ts'
import type { UploadCall } from '../../../model/media/upload/upload-file.ts'

/** The file of a new post. */
export interface DraftFile {
  file: File
  /** Of the local file, for the preview. */
  url: string
}

/** `sending`: 0 to 1 of the bytes are sent. */
type DraftStatus =
  | { state: 'editing' | 'sent' }
  | { state: 'sending'; share: number }
  | { state: 'failed'; reason: string }

export interface PostUpload {
  type: PostType
  description: string
  file: OutgoingFile
}

interface PostDraftPlatform {
  makeKey(): string
  createUrl(file: File): string
  revokeUrl(url: string): void
  /** Reads the size, duration and poster of a file. */
  prepare(file: File, mediaType: MediaType): Promise<OutgoingFile>
  upload(upload: PostUpload, call: UploadCall): Promise<Result<Post>>
  /** Deletes an upload on the server. */
  discardUpload(uploadId: string): void
  onSent(post: Post): void
}

/** The kinds of files in the browser's choice, by the type of the post. */
export const ACCEPTED_FILES = { photo: 'image/*', video: 'video/*' } as const satisfies Record<PostType, string>
const mediaTypes = { photo: 'image', video: 'video' } as const satisfies Record<PostType, MediaType>
const NOT_SENT = 'Gönderi paylaşılamadı. Bağlantını denetleyip tekrar dene.'

/** The new-post form: type, file and upload. */
export class PostDraft {
  readonly type = signal<PostType>('photo')
  readonly file = signal<DraftFile | null>(null)
  /** Why the last file was refused, in Turkish. */
  readonly problem = signal<string | null>(null)
  readonly status = signal<DraftStatus>({ state: 'editing' })
  private readonly platform: PostDraftPlatform
  private upload: AbortController | null = null
  /** The same for a repeated upload of the same post. */
  private key: string | null = null
  /** The upload of the file that a repeated one goes on with. */
  private uploadId: string | null = null

  constructor(platform: PostDraftPlatform) {
    this.platform = platform
  }

  /** Chooses what is posted. A file of the other type is taken out. */
  setType(type: PostType): void {
    if (this.isSending() || type === this.type.peek()) return
    this.remove()
    this.type.value = type
  }

  /** Puts a file in; one that is dropped or pasted chooses the type by itself. */
  choose(file: File, isPicked = false): void {
    if (this.isSending()) return
    const type = isPicked ? this.type.peek() : (typeOf(file) ?? this.type.peek())
    const problem = problemOf(file, type)
    if (problem !== null) {
      this.problem.value = problem
      return
    }
    batch(() => {
      this.remove()
      this.type.value = type
      this.file.value = { file, url: this.platform.createUrl(file) }
    })
  }

  /** Takes the file out. */
  remove(): void {
    const known = this.file.peek()
    if (this.isSending()) return
    if (known) this.platform.revokeUrl(known.url)
    this.file.value = null
    this.discardUpload()
    this.onEdited()
  }

  /** The browser cannot show the chosen file as what it is to be posted as. */
  onUnreadable(): void {
    if (this.isSending()) return
    this.remove()
    this.problem.value = fileTypeRefusals[this.type.peek()]
  }

  /** What was entered has changed, so it is another post. */
  onEdited(): void {
    this.key = null
    this.problem.value = null
    if (this.status.peek().state === 'failed') this.status.value = { state: 'editing' }
  }

  /** Uploads the post. After a failure, a further call sends the same one again. */
  async send(description: string): Promise<void> {
    const chosen = this.file.peek()
    if (this.isSending()) return
    if (!chosen) {
      this.problem.value = POST_FILE_MISSING_TEXT
      return
    }
    const upload = new AbortController()
    this.upload = upload
    this.key ??= this.platform.makeKey()
    const { key } = this
    this.status.value = { state: 'sending', share: 0 }
    const type = this.type.peek()
    const file = await this.platform.prepare(chosen.file, mediaTypes[type])
    if (upload.signal.aborted) return
    const post = await this.platform.upload(
      { type, description, file },
      {
        key,
        signal: upload.signal,
        onProgress: (sentBytes) => this.onProgress(upload, sentBytes / chosen.file.size),
        uploadId: this.uploadId,
        onUploadId: (uploadId) => {
          if (!upload.signal.aborted) this.uploadId = uploadId
        },
      },
    )
    if (upload.signal.aborted) return
    this.upload = null
    this.finish(post)
  }

  /** Ends the upload; what was entered stays. */
  cancel(): void {
    this.upload?.abort()
    this.upload = null
    this.discardUpload()
    if (this.isSending()) this.status.value = { state: 'editing' }
  }

  /** The form is closed. */
  close(): void {
    this.cancel()
    this.remove()
  }

  /** It would use the room of its user until tomorrow. */
  private discardUpload(): void {
    if (this.uploadId !== null) this.platform.discardUpload(this.uploadId)
    this.uploadId = null
  }

  private isSending(): boolean {
    return this.status.peek().state === 'sending'
  }

  private onProgress({ signal: { aborted } }: AbortController, share: number): void {
    if (!aborted) this.status.value = { state: 'sending', share: Math.min(1, share) }
  }

  private finish(post: Result<Post>): void {
    if (typeof post === 'string') this.status.value = { state: 'failed', reason: NOT_SENT }
    else if (post instanceof Refusal) this.status.value = { state: 'failed', reason: post.body.message }
    else {
      this.status.value = { state: 'sent' }
      this.platform.onSent(post)
    }
  }
}

function typeOf({ type }: File): PostType | null {
  if (type.startsWith('image/')) return 'photo'
  return type.startsWith('video/') ? 'video' : null
}

function problemOf(file: File, type: PostType): string | null {
  if (typeOf(file) !== type) return fileTypeRefusals[type]
  if (type === 'video') return file.size > MAX_VIDEO_BYTES ? VIDEO_TOO_LARGE_TEXT : null
  return file.size > MAX_FILE_BYTES ? FILE_TOO_LARGE : null
}
