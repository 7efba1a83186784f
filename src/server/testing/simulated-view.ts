import type { Payload } from '../../shared/protocol/frame.ts'
import type { Message } from '../../shared/room-chat/message.ts'

/** What one tab shows, of what it was given and told. */
export class SimulatedView {
  /** By clientId. */
  readonly shown = new Map<string, Message>()
  /** Names by user id. */
  readonly people = new Map<number, string>()
  /** The resume point: everything up to here was heard. */
  cursor = 0
  private readonly trouble: (what: string, clientId?: string) => void
  /** The highest number that was heard or given on the present line: everything that follows is above it. */
  private seq = 0
  /** What the room's snapshot covers: a line that resumes from further back may bring it again. */
  private covered = 0

  /** @param trouble called with what a server must not do */
  constructor(trouble: (what: string, clientId?: string) => void) {
    this.trouble = trouble
  }

  /** A new line, which goes on after the cursor. */
  opened(): void {
    this.seq = this.cursor
  }

  hearAnswer(name: string, { cursor, resumed }: Payload): void {
    if (name === 'hello' && !resumed) {
      this.seq = Number(cursor)
      this.cursor = Number(cursor)
    }
    // What is older than the room's snapshot does not come again.
    if (name !== 'joinRoom') return
    this.covered = Number(cursor)
    this.seq = Math.max(this.seq, this.covered)
  }

  hear(seq: number, name: string, payload: Payload): void {
    const message = name === 'message' ? (payload as unknown as Message) : null // the event's schema
    if (seq <= this.seq) this.trouble(`heard ${seq} after ${this.seq}`, message?.clientId)
    this.raise(seq)
    if (!message || seq <= this.covered) return
    if (this.shown.has(message.clientId)) this.trouble('heard a message twice', message.clientId)
    this.shown.set(message.clientId, message)
  }

  hearMoment(name: string, payload: Payload): void {
    if (name === 'cursor') this.raise(Number(payload.cursor))
    else if (name === 'loadRoomMessages') {
      this.shown.clear()
      for (const message of payload.messages as Message[]) this.shown.set(message.clientId, message) // its schema
    } else if (name === 'users-in-room') {
      this.people.clear()
      for (const { id, username } of payload.users as { id: number; username: string }[]) this.people.set(id, username)
    } else if (name === 'user-joined') {
      const { id, username } = payload.user as { id: number; username: string } // its schema, as the one above
      this.people.set(id, username)
    } else if (name === 'user-left') {
      for (const [id, username] of this.people) if (username === payload.username) this.people.delete(id)
    } else if (name === 'duplicateConnection' || name === 'forceDisconnect') this.trouble(`told ${name}`)
  }

  private raise(seq: number): void {
    this.seq = Math.max(this.seq, seq)
    this.cursor = Math.max(this.cursor, seq)
  }
}
