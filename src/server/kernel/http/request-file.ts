import { readFile } from 'node:fs/promises'
import { detectFileType, type FileType } from '../../../shared/media/file-types.ts'
import { FILE_TOO_LARGE, MAX_FILE_BYTES } from '../../../shared/media/rules.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import type { Actor } from '../database/transaction.ts'
import type { StoredFile } from '../files/blob-store.ts'
import { createFileStream } from '../files/file-stream.ts'
import { readTypeSample } from '../files/type-sample.ts'
import { KeyedSemaphore, Semaphore } from '../limits/semaphore.ts'
import { addressGroup, attributableAddress } from './client-address.ts'
import type { NodeContext } from './node-app.ts'

/** The file of a request, which came in its form or as a finished upload. */
export interface RequestFile {
  sizeBytes: number
  /** The type by its bytes; null for any other. */
  readType(): Promise<FileType | null>
  /** The bytes that say its type, and the tracks of a video: its head, or the movie box of an MP4. */
  readSample(): Promise<Uint8Array>
  /** All bytes in memory: for files that are decoded, such as pictures. Refuses with TooLarge over `MAX_FILE_BYTES`. */
  readAll(): Promise<Uint8Array | Refusal>
  /** The bytes for `files.put`: a buffer when they are in memory, else a stream. Each call starts at the first byte. */
  content(): Uint8Array | AsyncIterable<Uint8Array>
}

/** What `withRequestFile` needs of the call of a route whose input has the optional field `uploadId` (`UploadId`). */
export interface CallWithFile {
  actor: Actor
  input: { uploadId?: string | undefined }
  files: ReadonlyMap<string, Uint8Array>
  context: NodeContext
}

/** Finished uploads that are read at a time, because a picture is read into memory; others wait. One of a user at a time. */
const reads = new Semaphore(4, 16)
const userReads = new KeyedSemaphore(1, 2)
/** Of one address two are read at a time and two wait, as with forms (upload-receiver.ts): it cannot occupy all slots. */
const addressReads = new KeyedSemaphore(2, 2)

/** What a route asks of its file. */
export interface FileBounds {
  /** The form's file field. */
  field: string
  maxBytes: number
  /** Message for a larger file. */
  tooLarge?: string
  /** Message for a request without a file. */
  missing?: string
}

/**
 * Runs `handle` with the file of a request: that of the form's field, or the finished upload that `uploadId` names. The
 * upload stays until `handle` resolves; without a refusal it is used up. Refusals: InvalidInput without a file, MediaNotFound
 * for an upload that is unknown here, unfinished or of another user, TooLarge.
 */
export async function withRequestFile<T extends object>(
  { uploads, config }: AppContext,
  { actor, input, files, context }: CallWithFile,
  { field, maxBytes, tooLarge = FILE_TOO_LARGE, missing }: FileBounds,
  handle: (file: RequestFile) => Promise<T | Refusal>,
): Promise<T | Refusal> {
  const bytes = files.get(field)
  const { uploadId } = input
  const handleBounded = async (file: RequestFile) =>
    file.sizeBytes > maxBytes ? refuse('TooLarge', { message: tooLarge, path: field }) : handle(file)
  if (bytes) return handleBounded(fileInMemory(bytes))
  if (uploadId === undefined) return refuse('InvalidInput', { path: field, ...(missing && { message: missing }) })
  const use = () => uploads.use(uploadId, actor.userId, (file) => handleBounded(fileOnDisk(file)))
  const address = attributableAddress(config, context.env.incoming)
  const sender = address === null ? `user ${actor.userId}` : addressGroup(address)
  return userReads.run(String(actor.userId), () => addressReads.run(sender, () => reads.run(use)))
}

function fileInMemory(bytes: Uint8Array): RequestFile {
  return {
    sizeBytes: bytes.length,
    readType: async () => detectFileType(bytes),
    readSample: async () => bytes,
    readAll: async () => bytes,
    content: () => bytes,
  }
}

function fileOnDisk(file: StoredFile): RequestFile {
  return {
    sizeBytes: file.size,
    readType: async () => detectFileType(await readTypeSample(file)),
    readSample: () => readTypeSample(file),
    readAll: async () =>
      file.size > MAX_FILE_BYTES ? refuse('TooLarge', { message: FILE_TOO_LARGE }) : readFile(file.path),
    content: () => createFileStream(file),
  }
}
