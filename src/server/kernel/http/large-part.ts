import { randomUUID } from 'node:crypto'
import { MAX_PART_HEADER_BYTES, MAX_PARTS } from './multipart.ts'

/**
 * Takes the content of one file field out of a multipart body while it arrives, and leaves a token in its place, so that
 * the rest can be parsed in memory (RFC 7578).
 */
export class LargePart {
  /** Stands for the content in the rest of the form. */
  readonly token = randomUUID()
  private readonly delimiter: Buffer
  private readonly contentEnd: Buffer
  private readonly field: string
  private readonly keep: (bytes: Uint8Array) => void
  private state: 'before' | 'inside' | 'after' = 'before'
  private pending: Buffer = Buffer.alloc(0)
  private parts = 0

  /** @param keep gets the rest of the form */
  constructor(boundary: string, field: string, keep: (bytes: Uint8Array) => void) {
    this.delimiter = Buffer.from(`--${boundary}`)
    this.contentEnd = Buffer.from(`\r\n--${boundary}`)
    this.field = field
    this.keep = keep
  }

  /** Reads the body to its end, and yields the content. */
  async *contentOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.pending = Buffer.concat([this.pending, chunk])
      if (this.state === 'before') this.passHeaders()
      if (this.state === 'inside') {
        const content = this.takeContent()
        if (content.length > 0) yield content
      }
      if (this.state === 'after') this.release(this.pending.length)
    }
    this.release(this.pending.length)
  }

  /** Passes what comes before the content; keeps back what may be the beginning of the part's header. */
  private passHeaders(): void {
    while (this.state === 'before') {
      const start = this.pending.indexOf(this.delimiter)
      const headerEnd = start === -1 ? -1 : this.pending.indexOf('\r\n\r\n', start)
      if (headerEnd === -1) {
        const keptBytes = start === -1 ? this.delimiter.length : this.pending.length - start
        this.release(keptBytes > MAX_PART_HEADER_BYTES ? this.pending.length : this.pending.length - keptBytes)
        return
      }
      const header = this.pending.toString('latin1', start, headerEnd)
      this.release(headerEnd + 4)
      this.parts++
      if (isFileOf(header, this.field)) this.state = 'inside'
      // The form is refused when it is parsed.
      else if (this.parts > MAX_PARTS) this.state = 'after'
    }
    if (this.state === 'inside') this.keep(Buffer.from(this.token))
  }

  private takeContent(): Buffer {
    const end = this.pending.indexOf(this.contentEnd)
    // The tail may be the beginning of the delimiter.
    const length = end === -1 ? Math.max(0, this.pending.length - this.contentEnd.length + 1) : end
    const content = this.pending.subarray(0, length)
    this.pending = this.pending.subarray(length)
    if (end !== -1) this.state = 'after'
    return content
  }

  /** Passes the first bytes on to the rest of the form. */
  private release(length: number): void {
    if (length <= 0) return
    this.keep(this.pending.subarray(0, length))
    this.pending = this.pending.subarray(length)
  }
}

function isFileOf(header: string, field: string): boolean {
  return new RegExp(`\\sname="${field}"`, 'i').test(header) && /\sfilename\*?=/i.test(header)
}
