const LENGTH_BYTES = 2

/** A packet with its length before it (RFC 4571, section 2). */
export function encodeFrame(packet: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + packet.length)
  frame.writeUInt16BE(packet.length, 0)
  packet.copy(frame, LENGTH_BYTES)
  return frame
}

/** Takes a byte stream apart into the packets of RFC 4571. Keeps at most one incomplete packet. */
export class FrameReader {
  private readonly maxPacketBytes: number
  private incomplete: Buffer | null = null

  constructor(maxPacketBytes: number) {
    this.maxPacketBytes = maxPacketBytes
  }

  /**
   * Calls `onPacket` for each complete packet, also one of no bytes, until it returns false. A packet is a view of `chunk` or
   * of a copy, and stays unchanged. Returns false when a length is beyond the maximum: the stream cannot be read further.
   */
  read(chunk: Buffer, onPacket: (packet: Buffer) => boolean): boolean {
    const data = this.incomplete ? Buffer.concat([this.incomplete, chunk]) : chunk
    let at = 0
    while (data.length - at >= LENGTH_BYTES) {
      const length = data.readUInt16BE(at)
      if (length > this.maxPacketBytes) return false
      const end = at + LENGTH_BYTES + length
      if (end > data.length) break
      if (!onPacket(data.subarray(at + LENGTH_BYTES, end))) return true
      at = end
    }
    // A copy, so that a few bytes do not keep a whole chunk.
    this.incomplete = at < data.length ? Buffer.from(data.subarray(at)) : null
    return true
  }
}
