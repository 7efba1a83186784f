import type { FileHandle } from 'node:fs/promises'

/** Small chunks are collected up to this: each write costs a turn of the thread pool, and chunks may have one byte. */
const BUFFER_BYTES = 64 * 1024

/** Writes chunks to an open file from an offset on. */
export class FileAppender {
  private readonly handle: FileHandle
  private readonly onWritten: (offset: number) => void
  private readonly buffer = Buffer.allocUnsafe(BUFFER_BYTES)
  private bufferedBytes = 0
  private offset: number

  /** @param onWritten called with the offset after each write */
  constructor(handle: FileHandle, offset: number, onWritten: (offset: number) => void) {
    this.handle = handle
    this.offset = offset
    this.onWritten = onWritten
  }

  /** The offset after all chunks, written or not. */
  get end(): number {
    return this.offset + this.bufferedBytes
  }

  async append(chunk: Uint8Array): Promise<void> {
    if (this.bufferedBytes + chunk.byteLength > BUFFER_BYTES) await this.flush()
    if (chunk.byteLength >= BUFFER_BYTES) return this.write(chunk)
    this.buffer.set(chunk, this.bufferedBytes)
    this.bufferedBytes += chunk.byteLength
  }

  /** Writes what is left, and closes the file. */
  async close(): Promise<void> {
    try {
      await this.flush()
    } finally {
      await this.handle.close()
    }
  }

  private async flush(): Promise<void> {
    const collected = this.buffer.subarray(0, this.bufferedBytes)
    this.bufferedBytes = 0
    if (collected.length > 0) await this.write(collected)
  }

  private async write(bytes: Uint8Array): Promise<void> {
    for (let written = 0; written < bytes.byteLength; ) {
      const { bytesWritten } = await this.handle.write(bytes, written, bytes.byteLength - written, this.offset)
      written += bytesWritten
      this.offset += bytesWritten
      this.onWritten(this.offset)
    }
  }
}
