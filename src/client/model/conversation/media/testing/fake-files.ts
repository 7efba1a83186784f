import type { Environment } from '../../../../core/platform/environment.ts'
import { createMemoryFileStorage, type FileStorage, type StoredFile } from '../../../media/upload/file-storage.ts'
import type { OutgoingFile } from '../../../media/upload/outgoing-file.ts'
import type { UploadCall, UploadOutcome, UploadTarget } from '../../../media/upload/upload-file.ts'
import { OutgoingFiles } from '../outgoing-files.ts'

/** An upload under way; the test ends it. */
interface FakeUpload extends UploadCall {
  file: OutgoingFile
  target: UploadTarget
  end(outcome: UploadOutcome): void
}

/** The files of a tab, with a server and a device of the test. */
export class FakeFiles {
  /** Every upload that was begun, the latest last. */
  readonly uploads: FakeUpload[] = []
  /** Object URLs that are not revoked. */
  readonly urls = new Set<string>()
  readonly stored: Map<string, StoredFile>
  readonly storage: FileStorage
  readonly files: OutgoingFiles
  /** Whether the device has room for another file. */
  hasRoom = true
  /** Uploads that were deleted on the server. */
  readonly discarded: string[] = []
  owner = { userId: 1, tabId: 'tab' }

  /** @param before the files of the page before a reload */
  constructor(environment: Environment, live: { isConnected(): boolean }, before?: FakeFiles) {
    this.stored = before?.stored ?? new Map()
    const memory = createMemoryFileStorage(this.stored)
    const put = async (file: StoredFile) => {
      if (!this.hasRoom) throw new DOMException('full', 'QuotaExceededError')
      return memory.put(file)
    }
    this.storage = { ...memory, put }
    this.files = new OutgoingFiles({
      environment,
      live,
      isOnline: () => true,
      storage: this.storage,
      prepare: async (file, mediaType) => outgoingFile({ blob: file, name: file.name, mediaType }),
      upload: (file, call) =>
        new Promise((end) => {
          call.signal.addEventListener('abort', () => end('disconnected'))
          this.uploads.push({ ...call, file, end })
        }),
      discardUpload: (uploadId) => this.discarded.push(uploadId),
      owner: () => this.owner,
      createUrl: () => this.createUrl(),
      revokeUrl: (url) => this.urls.delete(url),
    })
  }

  /** The latest upload. */
  get upload(): FakeUpload {
    const upload = this.uploads.at(-1)
    if (!upload) throw new Error('nothing is uploaded')
    return upload
  }

  private createUrl(): string {
    const url = `blob:${this.urls.size + 1}-${this.stored.size}`
    this.urls.add(url)
    return url
  }
}

/** A picture of 1,000 bytes by default. */
export function outgoingFile(changes: Partial<OutgoingFile> = {}): OutgoingFile {
  return {
    blob: new Blob([new Uint8Array(1000)], { type: 'image/png' }),
    name: 'deniz.png',
    mediaType: 'image',
    poster: null,
    width: 40,
    height: 30,
    durationMs: null,
    waveform: null,
    ...changes,
  }
}
