const TOTAL = Buffer.from('total')
const JOINED = Buffer.from('user-joined')

/** The user count of a room as one client knows it, read from raw bytes because decoding would load the generator. */
export class RoomCountReader {
  count = 0

  /** The count before the first payload. */
  setInitialCount(count: number): void {
    this.count = count
  }

  /** Reads a payload, JSON or MessagePack, that can hold a snapshot followed by joins. */
  readPayload(payload: Buffer): void {
    const at = payload.lastIndexOf(TOTAL)
    if (at >= 0) this.count = numberAfter(payload, at + TOTAL.length)
    for (let next = payload.indexOf(JOINED, Math.max(0, at)); next >= 0; next = payload.indexOf(JOINED, next + 1)) {
      this.count += 1
    }
  }
}

function numberAfter(payload: Buffer, at: number): number {
  const first = payload[at] ?? 0
  if (first === 0x22) return Number.parseInt(payload.toString('latin1', at + 2, at + 12), 10) // ":
  if (first === 0xcd) return payload.readUInt16BE(at + 1)
  return first === 0xcc ? (payload[at + 1] ?? 0) : first
}
