import { decodeServerFrame, type ServerValue } from '../../shared/protocol/frame.ts'
import type { FrameChain } from '../live/batch.ts'
import type { Transport } from '../live/connection.ts'

/** The server's end of a line that lies in memory, and what came out at the other end. */
export interface FakeTransport extends Transport {
  /** The values received so far, in order. */
  received: ServerValue[]
  /** The batches as they were handed over, a frame each. */
  sentFrames: FrameChain[]
  closeCode: number | null
  pingCount: number
  /** Set by hand to stand for a reader that does not read. */
  pendingBytes: number
  /** Resolves with the first value, past or future, that fits. Rejects when the line closes first. */
  waitForValue(fits: (value: ServerValue) => boolean): Promise<ServerValue>
}

export function createFakeTransport(onClose: () => void = () => {}): FakeTransport {
  const waiters = new Set<() => void>()
  const wake = () => {
    for (const check of waiters) check()
  }
  const line: FakeTransport = {
    received: [],
    sentFrames: [],
    closeCode: null,
    pingCount: 0,
    pendingBytes: 0,
    send(batch) {
      line.sentFrames.push(batch)
      line.received.push(...decodeServerFrame(batch.payload()))
      wake()
    },
    bufferedBytes: () => line.pendingBytes,
    ping() {
      line.pingCount++
    },
    close(code) {
      line.closeCode ??= code
      onClose()
      wake()
    },
    waitForValue: (fits) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = line.received.find(fits)
          if (!found && line.closeCode === null) return
          waiters.delete(check)
          if (found) resolve(found)
          else reject(new Error(`the line closed with ${line.closeCode}`))
        }
        waiters.add(check)
        check()
      }),
  }
  return line
}
