import * as websocket from 'ws'

const BINARY = 2
// ws's own framing; its type declarations leave the class out.
const { Sender } = websocket as unknown as { Sender: { frame(data: Uint8Array, options: object): Buffer[] } }

/**
 * What one socket is to get in one frame: a chain of values, newest last. Connections that are given the same values
 * in the same order share one chain, so the frame is put together and framed once for all of them.
 */
export class Batch {
  readonly value: Uint8Array
  private readonly before: Batch | null
  private readonly size: number
  private next: Batch | null = null
  private joined: Uint8Array | null = null
  private framed: Buffer | null = null

  constructor(value: Uint8Array, before: Batch | null) {
    this.value = value
    this.before = before
    this.size = value.length + (before?.size ?? 0)
  }

  /** This chain and one value more; the same object for whoever adds the same value next. */
  and(value: Uint8Array): Batch {
    if (this.next?.value !== value) this.next = new Batch(value, this)
    return this.next
  }

  /** The values one after another: the payload of a frame (docs/protocol.md, "Frames"). */
  payload(): Uint8Array {
    if (this.joined) return this.joined
    if (!this.before) return this.value
    this.joined = new Uint8Array(this.size)
    let end = this.size
    for (let at: Batch | null = this; at; at = at.before) {
      end -= at.value.length
      this.joined.set(at.value, end)
    }
    return this.joined
  }

  /** The payload as one unmasked, uncompressed WebSocket frame (RFC 6455, section 5.2). */
  frame(): Buffer {
    const options = { fin: true, rsv1: false, opcode: BINARY, mask: false, readOnly: true }
    this.framed ??= Buffer.concat(Sender.frame(this.payload(), options))
    return this.framed
  }
}
