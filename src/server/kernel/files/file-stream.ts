import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { ReadableStream } from 'node:stream/web'
import type { StoredFile } from './blob-store.ts'

const READ_CHUNK_BYTES = 64 * 1024

/** A range of bytes; `start` and `end` are both included. */
export interface ByteRange {
  start: number
  end: number
}

/** A range of a file, by default all bytes. Opened at the first read, and closed on end, cancel and error. */
export function createFileStream(
  file: StoredFile,
  range: ByteRange = { start: 0, end: file.size - 1 },
): globalThis.ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(readChunks(file, range)) as never // the same class; node:stream/web and the DOM type it differently
}

async function* readChunks({ path }: StoredFile, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    for (let position = start; position <= end; ) {
      const length = Math.min(READ_CHUNK_BYTES, end - position + 1)
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
