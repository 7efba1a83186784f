import type { Payload } from '../../../shared/protocol/frame.ts'
import type { Message } from '../../../shared/room-chat/message.ts'

/** What one tab shows, of what it was given and told. */
export class SimulatedClientView {
  /** By clientId. */
  readonly messagesByClientId = new Map<string, Message>()
  /** Names by user id. */
  readonly usernamesById = new Map<number, string>()
  /** The resume point: everything up to here was heard. */
  cursor = 0
  private readonly reportViolation: (what: string, clientId?: string) => void
  /** The highest number that was heard or given on the present line: everything that follows is above it. */
  private seq = 0
  /** What the room's snapshot covers: a line that resumes from further back may bring it again. */
  private snapshotSeq = 0

  /** @param trouble called with what a server must not do */
  constructor(trouble: (what: string, clientId?: string) => void) {
    this.reportViolation = trouble
  }

  /** A new line, which goes on after the cursor. */
  onConnected(): void {
    this.seq = this.cursor
  }

  onAnswer(name: string, { cursor, resumed }: Payload): void {
    if (name === 'hello' && !resumed) {
      this.seq = Number(cursor)
      this.cursor = Number(cursor)
    }
    // What is older than the room's snapshot does not come again.
    if (name !== 'joinRoom') return
    this.snapshotSeq = Number(cursor)
    this.seq = Math.max(this.seq, this.snapshotSeq)
  }

  onEvent(seq: number, name: string, payload: Payload): void {
    const message = name === 'message' ? (payload as unknown as Message) : null // the event's schema
    if (seq <= this.seq) this.reportViolation(`heard ${seq} after ${this.seq}`, message?.clientId)
    this.advanceCursor(seq)
    if (!message || seq <= this.snapshotSeq) return
    if (this.messagesByClientId.has(message.clientId)) this.reportViolation('heard a message twice', message.clientId)
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
    } else if (name === 'duplicateConnection' || name === 'forceDisconnect') this.reportViolation(`told ${name}`)
  }

  private advanceCursor(seq: number): void {
    this.seq = Math.max(this.seq, seq)
    this.cursor = Math.max(this.cursor, seq)
  }
}
