const TOTAL = Buffer.from('total')
const JOINED = Buffer.from('user-joined')

/** How many are in the room as one of them has heard, read from the bytes: decoding would keep the load generator busy. */
export class RoomCountReader {
  count = 0

  /** Known before anything is heard. */
  setInitialCount(count: number): void {
    this.count = count
  }

  /** A payload in which there may be a snapshot, and people who joined after it; JSON or MessagePack. */
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
