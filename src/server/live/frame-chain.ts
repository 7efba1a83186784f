import * as websocket from 'ws'

const BINARY = 2
// ws's own framing; its type declarations leave the class out.
const { Sender } = websocket as unknown as { Sender: { frame(data: Uint8Array, options: object): Buffer[] } }

/**
 * What one socket is to get in one frame: a chain of values, newest last. Connections that are given the same values
 * in the same order share one chain, so the frame is put together and framed once for all of them.
 */
export class FrameChain {
  readonly value: Uint8Array
  private readonly previous: FrameChain | null
  private readonly payloadBytes: number
  private next: FrameChain | null = null
  private cachedPayload: Uint8Array | null = null
  private cachedFrame: Buffer | null = null

  constructor(value: Uint8Array, before: FrameChain | null) {
    this.value = value
    this.previous = before
    this.payloadBytes = value.length + (before?.payloadBytes ?? 0)
  }

  /** This chain and one value more; the same object for whoever adds the same value next. */
  append(value: Uint8Array): FrameChain {
    if (this.next?.value !== value) this.next = new FrameChain(value, this)
    return this.next
  }

  /** The values one after another: the payload of a frame (docs/protocol.md, "Frames"). */
  payload(): Uint8Array {
    if (this.cachedPayload) return this.cachedPayload
    if (!this.previous) return this.value
    this.cachedPayload = new Uint8Array(this.payloadBytes)
    let end = this.payloadBytes
    for (let at: FrameChain | null = this; at; at = at.previous) {
      end -= at.value.length
      this.cachedPayload.set(at.value, end)
    }
    return this.cachedPayload
  }

  /** The payload as one unmasked, uncompressed WebSocket frame (RFC 6455, section 5.2). */
  frame(): Buffer {
    const options = { fin: true, rsv1: false, opcode: BINARY, mask: false, readOnly: true }
    this.cachedFrame ??= Buffer.concat(Sender.frame(this.payload(), options))
    return this.cachedFrame
  }
}
