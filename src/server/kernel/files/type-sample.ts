import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { StoredFile } from './blob-store.ts'

/** Enough for every type but MP4, whose movie box may be anywhere in the file. */
const HEAD_BYTES = 64 * 1024
/** The movie box of a film of hours. */
const MAX_MOVIE_BYTES = 16 * 1024 * 1024
/** As many as `detectFileType` reads. */
const MAX_BOXES = 200

/**
 * The bytes of a file that say its type (shared/media/file-types.ts): its head, or the first box and the movie box of an
 * MP4 (ISO/IEC 14496-12).
 */
export async function readTypeSample({ path, size }: StoredFile): Promise<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const head = await readAt(handle, 0, Math.min(size, HEAD_BYTES))
    if (size <= HEAD_BYTES || head.toString('latin1', 4, 8) !== 'ftyp') return head
    const movie = await findMovie(handle, size)
    return movie ? Buffer.concat([head.subarray(0, head.readUInt32BE(0)), movie]) : head
  } finally {
    await handle.close()
  }
}

/** The movie box with its header; null without one, or one that is too large. */
async function findMovie(handle: FileHandle, size: number): Promise<Buffer | null> {
  for (let start = 0, boxes = 0; start + 8 <= size && boxes < MAX_BOXES; boxes++) {
    const header = await readAt(handle, start, Math.min(16, size - start))
    // 1: the size follows in 64 bits; 0: the box goes on to the end.
    const shortSize = header.readUInt32BE(0)
    const isLong = shortSize === 1 && header.length === 16
    const boxBytes = isLong ? Number(header.readBigUInt64BE(8)) : shortSize || size - start
    if (boxBytes < (isLong ? 16 : 8)) return null
    if (header.toString('latin1', 4, 8) === 'moov') {
      const bytes = Math.min(boxBytes, size - start)
      return bytes > MAX_MOVIE_BYTES ? null : readAt(handle, start, bytes)
    }
    start += boxBytes
  }
  return null
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
