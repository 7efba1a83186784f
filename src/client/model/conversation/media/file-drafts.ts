import type { MediaType } from '../../../../shared/media/media.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { signal } from '../../../core/signals/signal.ts'
import { checkFile } from '../../media/upload/prepare-file.ts'
import type { OutgoingFiles } from './outgoing-files.ts'

/** Files that can wait in a composer. */
const MAX_DRAFTS = 10
const TOO_MANY_FILES = `Bir kerede en fazla ${MAX_DRAFTS} dosya gönderebilirsin.`

/** A file in the composer. */
export interface FileDraft {
  /** The clientId of its message. */
  key: string
  name: string
  bytes: number
  mediaType: MediaType
  /** False while it is read and stored. */
  isReady: boolean
}

interface FileDraftsPlatform {
  files: Pick<OutgoingFiles, 'addPicked' | 'drop' | 'media'>
  makeKey(): string
  /** Why files of a type may not be sent now; null where they may. */
  check(mediaType: MediaType): Refusal | null
}

/** The files that the viewer has picked for the next messages of a conversation, in order. */
export class FileDrafts {
  readonly list = signal<readonly FileDraft[]>([])
  /** Why a file was not added, in Turkish. */
  readonly problem = signal<string | null>(null)
  /** The viewer wants to send, and a file is not ready yet. */
  readonly isSendWanted = signal(false)
  private readonly platform: FileDraftsPlatform

  constructor(platform: FileDraftsPlatform) {
    this.platform = platform
  }

  /** What the thread will show of them, by key. */
  get media(): OutgoingFiles['media'] {
    return this.platform.files.media
  }

  clearProblem(): void {
    this.problem.value = null
  }

  /** Adds files after those that are there. Refused ones are left out, with the reason in `problem`. */
  add(files: readonly File[]): void {
    this.clearProblem()
    for (const file of files) {
      const mediaType = this.judge(file)
      if (mediaType instanceof Refusal) this.problem.value = mediaType.body.message
      else void this.prepare(file, mediaType)
    }
  }

  remove(key: string): void {
    this.clearProblem()
    this.forget(key)
    this.platform.files.drop(key)
  }

  /** Removes a file from the composer: its message is in the outbox. */
  forget(key: string): void {
    this.list.value = this.list.peek().filter((draft) => draft.key !== key)
    if (this.list.value.length === 0) this.isSendWanted.value = false
  }

  /** Sends again when all files are ready (`isSendWanted`). A refusal that shows nothing until then. */
  waitUntilReady(): Refusal {
    this.isSendWanted.value = true
    return new Refusal({ code: 'Busy', message: '', waitMs: 0 })
  }

  /** Discards all files. */
  clear(): void {
    for (const { key } of this.list.peek()) this.remove(key)
    this.clearProblem()
  }

  private judge(file: File): MediaType | Refusal {
    if (this.list.peek().length >= MAX_DRAFTS) return new Refusal({ code: 'TooLarge', message: TOO_MANY_FILES })
    const mediaType = checkFile(file)
    return mediaType instanceof Refusal ? mediaType : (this.platform.check(mediaType) ?? mediaType)
  }

  private async prepare(file: File, mediaType: MediaType): Promise<void> {
    const key = this.platform.makeKey()
    const { name, size: bytes } = file
    this.list.value = [...this.list.peek(), { key, name, bytes, mediaType, isReady: false }]
    const refusal = await this.platform.files.addPicked(key, file, mediaType)
    const isRemoved = !this.list.peek().some((draft) => draft.key === key)
    if (isRemoved) this.platform.files.drop(key)
    else if (refusal) this.refuse(key, refusal)
    else this.list.value = this.list.peek().map((draft) => (draft.key === key ? { ...draft, isReady: true } : draft))
  }

  private refuse(key: string, { body: { message } }: Refusal): void {
    this.forget(key)
    this.isSendWanted.value = false
    this.problem.value = message
  }
}
