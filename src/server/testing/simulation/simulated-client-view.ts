import type { Payload } from '../../../shared/protocol/frame.ts'
import type { Message } from '../../../shared/room-chat/message.ts'

/** What one tab shows, built from answers and events. Reports what a server must not send. */
export class SimulatedClientView {
  /** By clientId. */
  readonly messagesByClientId = new Map<string, Message>()
  /** Names by user id. */
  readonly usernamesById = new Map<number, string>()
  /** The cursor for a resume: all events up to here were received. */
  cursor = 0
  private readonly reportViolation: (description: string, clientId?: string) => void
  /** The highest `seq` on the current connection, of an event or the answer to hello: every later event is above it. */
  private seq = 0
  /** The `seq` of the room's snapshot on the current connection: every later event of the room is above it. */
  private joinedSeq = 0
  /** The `seq` of the room's snapshot: a resume from an earlier cursor may replay events that it covers. */
  private snapshotSeq = 0

  constructor(reportViolation: (description: string, clientId?: string) => void) {
    this.reportViolation = reportViolation
  }

  /** A new connection resumes after the cursor. */
  onConnected(): void {
    this.seq = this.cursor
    this.joinedSeq = 0
  }

  onAnswer(name: string, { cursor, resumed }: Payload): void {
    if (name === 'hello' && !resumed) {
      this.seq = Number(cursor)
      this.cursor = Number(cursor)
    }
    // Events of the room that its snapshot covers are not sent again; those of other streams may follow.
    if (name !== 'joinRoom') return
    this.snapshotSeq = Number(cursor)
    this.joinedSeq = this.snapshotSeq
  }

  onEvent(seq: number, name: string, payload: Payload): void {
    const message = name === 'message' ? (payload as unknown as Message) : null // the event's schema
    const minSeq = payload.roomId === undefined ? this.seq : Math.max(this.seq, this.joinedSeq)
    if (seq <= minSeq) this.reportViolation(`received ${seq} after ${minSeq}`, message?.clientId)
    this.advanceCursor(seq)
    if (!message || seq <= this.snapshotSeq) return
    if (this.messagesByClientId.has(message.clientId))
      this.reportViolation('received a message twice', message.clientId)
    this.messagesByClientId.set(message.clientId, message)
  }

  onEphemeral(name: string, payload: Payload): void {
    if (name === 'cursor') this.advanceCursor(Number(payload.cursor))
    else if (name === 'loadRoomMessages') {
      this.messagesByClientId.clear()
      for (const message of payload.messages as Message[]) this.messagesByClientId.set(message.clientId, message) // its schema
    } else if (name === 'users-in-room') {
      this.usernamesById.clear()
      for (const { id, username } of payload.users as { id: number; username: string }[])
        this.usernamesById.set(id, username)
    } else if (name === 'user-joined') {
      const { id, username } = payload.user as { id: number; username: string } // its schema, as the one above
      this.usernamesById.set(id, username)
    } else if (name === 'user-left') {
      for (const [id, username] of this.usernamesById) if (username === payload.username) this.usernamesById.delete(id)
    } else if (name === 'duplicateConnection' || name === 'forceDisconnect') this.reportViolation(`received ${name}`)
  }

  private advanceCursor(seq: number): void {
    this.seq = Math.max(this.seq, seq)
    this.cursor = Math.max(this.cursor, seq)
  }
}
