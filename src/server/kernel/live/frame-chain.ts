import * as websocket from 'ws'

const BINARY = 2
// ws exports Sender, but its type declarations do not.
const { Sender } = websocket as unknown as { Sender: { frame(data: Uint8Array, options: object): Buffer[] } }

/**
 * The values of one frame as a linked list, newest last. Connections that get the same values in the same order share
 * one chain, so the frame is built once for all of them.
 */
export class FrameChain {
  readonly value: Uint8Array
  private readonly previous: FrameChain | null
  readonly payloadBytes: number
  private next: FrameChain | null = null
  private cachedPayload: Uint8Array | null = null
  private cachedFrame: Buffer | null = null

  constructor(value: Uint8Array, previous: FrameChain | null) {
    this.value = value
    this.previous = previous
    this.payloadBytes = value.length + (previous?.payloadBytes ?? 0)
  }

  /** This chain plus one value; callers that append the same value next get the same object. */
  append(value: Uint8Array): FrameChain {
    if (this.next?.value !== value) this.next = new FrameChain(value, this)
    return this.next
  }

  /** The concatenated values: the payload of a frame (docs/protocol.md, "Frames"). */
  payload(): Uint8Array {
    if (this.cachedPayload) return this.cachedPayload
    if (!this.previous) return this.value
    this.cachedPayload = new Uint8Array(this.payloadBytes)
    let offset = this.payloadBytes
    for (let node: FrameChain | null = this; node; node = node.previous) {
      offset -= node.value.length
      this.cachedPayload.set(node.value, offset)
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
