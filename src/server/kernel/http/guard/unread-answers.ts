import type { Socket } from 'node:net'

interface WatchedSocket {
  takenBytes: number
  /** When the system last took bytes, or had none to take, in milliseconds of `performance.now()`. */
  at: number
}

/** Finds the sockets whose answers are not read. */
export class UnreadAnswers {
  private readonly watched = new Map<Socket, WatchedSocket>()
  private readonly maxStallMs: number

  constructor(maxStallMs: number) {
    this.maxStallMs = maxStallMs
  }

  add(socket: Socket, now: number): void {
    this.watched.set(socket, { takenBytes: 0, at: now })
    socket.once('close', () => this.delete(socket))
  }

  /** Leaves the socket to another protocol. */
  delete(socket: Socket): void {
    this.watched.delete(socket)
  }

  /** The sockets of whose answers nothing has been read for too long; called about once a second. */
  findStalled(now: number): Socket[] {
    const stalled: Socket[] = []
    for (const [socket, watched] of this.watched) {
      const takenBytes = countTaken(socket)
      if (socket.writableLength === 0 || takenBytes !== watched.takenBytes)
        this.watched.set(socket, { takenBytes, at: now })
      else if (now - watched.at >= this.maxStallMs) stalled.push(socket)
    }
    return stalled
  }
}

/** Bytes that the system has taken from the process. They are taken as the client reads, once the send queue is full. */
function countTaken(socket: Socket): number {
  // Node's own time-out uses this field, which has no public name; it shows the progress within one large buffer.
  const { _handle: handle } = socket as unknown as { _handle: { writeQueueSize: number } | null }
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0)
}
