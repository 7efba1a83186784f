import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { ReadableStream } from 'node:stream/web'
import type { ByteRange } from '../http/conditional-requests.ts'
import type { StoredFile } from './blob-store.ts'

const READ_CHUNK_BYTES = 64 * 1024

/** The bytes of a file, all or some of them. Opened when the first is asked for, and closed however the reading ends. */
export function createFileStream(
  file: StoredFile,
  range: ByteRange = { start: 0, end: file.size - 1 },
): globalThis.ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(readChunks(file, range)) as never // the very same class under its other name
}

async function* readChunks({ path }: StoredFile, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    for (let at = start; at <= end; ) {
      const length = Math.min(READ_CHUNK_BYTES, end - at + 1)
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
