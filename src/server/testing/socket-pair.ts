import { decodeServerFrame, type ServerValue } from '../../shared/protocol/frame.ts'
import type { FrameChain } from '../live/batch.ts'
import type { Transport } from '../live/connection.ts'

/** The server's end of a line that lies in memory, and what came out at the other end. */
export interface TestLine extends Transport {
  /** The values received so far, in order. */
  received: ServerValue[]
  /** The batches as they were handed over, a frame each. */
  batches: FrameChain[]
  closedWith: number | null
  pings: number
  /** Set by hand to stand for a reader that does not read. */
  waitingBytes: number
  /** Resolves with the first value, past or future, that fits. Rejects when the line closes first. */
  next(fits: (value: ServerValue) => boolean): Promise<ServerValue>
}

export function testLine(onClose: () => void = () => {}): TestLine {
  const waiters = new Set<() => void>()
  const wake = () => {
    for (const check of waiters) check()
  }
  const line: TestLine = {
    received: [],
    batches: [],
    closedWith: null,
    pings: 0,
    waitingBytes: 0,
    send(batch) {
      line.batches.push(batch)
      line.received.push(...decodeServerFrame(batch.payload()))
      wake()
    },
    bufferedBytes: () => line.waitingBytes,
    ping() {
      line.pings++
    },
    close(code) {
      line.closedWith ??= code
      onClose()
      wake()
    },
    next: (fits) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = line.received.find(fits)
          if (!found && line.closedWith === null) return
          waiters.delete(check)
          if (found) resolve(found)
          else reject(new Error(`the line closed with ${line.closedWith}`))
        }
        waiters.add(check)
        check()
      }),
  }
  return line
}
