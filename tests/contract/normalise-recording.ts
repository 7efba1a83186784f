import { Kind } from '../../src/shared/protocol/frame.ts'

/** Longer than any window in which events are gathered, so that each step has its own. */
export const STEP_MS = 4_000

/** Fields with the id of a message, beside `id` of a message itself. */
const MESSAGE_ID_FIELDS = new Set(['messageId', 'upToId', 'lastMessageId', 'readUpToId', 'readByOtherUpToId', 'before'])
const TOKEN_FIELDS = new Set(['token', 'adminToken'])
/** Counted over the whole site: they differ with every hidden event. */
const SITE_WIDE_FIELDS = new Set(['cursor'])
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Epoch milliseconds are between them, and random ids of sessions above. */
const MIN_TIME = 1_000_000_000_000
const MAX_TIME = 2_000_000_000_000
/** What is about direct messages, whose ids are counted apart from those of rooms. */
const ABOUT_DIRECT_MESSAGES = /[dD]irect|dm|messagesRead|markMessages|conversation/

/** What the `id` of an object is the id of, as the name of a field. */
function idFieldOf(value: object): string {
  if ('senderCount' in value) return 'notificationId'
  return 'content' in value || 'success' in value ? 'messageId' : 'id'
}

/**
 * Replaces what differs between any two runs in what one user got: ids of messages, files and calls by their order of
 * appearance, times by the number of whole steps since the start, and tokens and sequence numbers by nothing.
 */
export class Normaliser {
  private readonly startedAt: number
  private readonly names = new Map<string, string>()

  /** @param startedAt epoch milliseconds */
  constructor(startedAt: number) {
    this.startedAt = startedAt
  }

  /** A value that was sent because of `subject`: the name of an event, a command or a path. */
  normalise(value: unknown, subject: string): unknown {
    return this.convert(value, '', ABOUT_DIRECT_MESSAGES.test(subject) ? 'direct' : 'room')
  }

  private convert(value: unknown, field: string, kind: 'direct' | 'room'): unknown {
    if (typeof value === 'number') return this.convertNumber(value, field, kind)
    if (typeof value === 'string') return this.convertText(value, field)
    if (Array.isArray(value)) {
      // A logged event, in a frame or in the answer of joinRoom: without its sequence number.
      const isLogged = value.length === 4 && value[0] === Kind.event
      const itemField = field === 'notificationIds' ? 'notificationId' : ''
      return (isLogged ? value.toSpliced(1, 1) : value).map((item) => this.convert(item, itemField, kind))
    }
    if (typeof value !== 'object' || value === null) return value
    const idField = idFieldOf(value)
    // A notification of a room names the room.
    const ownKind = idField === 'notificationId' && 'roomId' in value && value.roomId === null ? 'direct' : kind
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !SITE_WIDE_FIELDS.has(name))
        .map(([name, item]) => [name, this.convert(item, name === 'id' ? idField : name, ownKind)]),
    )
  }

  private convertNumber(value: number, field: string, kind: 'direct' | 'room'): unknown {
    if (value >= MAX_TIME) return this.nameOf('session', value)
    if (value >= MIN_TIME) return `step ${Math.floor((value - this.startedAt) / STEP_MS)}`
    // Requests of several runs are some milliseconds apart.
    if (field === 'waitMs') return `${Math.round(value / 1_000)} s`
    if (value > 0 && MESSAGE_ID_FIELDS.has(field)) return this.nameOf(`${kind} message`, value)
    if (field === 'notificationId') return this.nameOf('notification', value)
    return field === 'mediaId' ? this.nameOf(`${kind} file`, value) : value
  }

  private convertText(value: string, field: string): unknown {
    if (TOKEN_FIELDS.has(field)) return 'token'
    return UUID.test(value) ? this.nameOf('uuid', value) : value
  }

  private nameOf(kind: string, value: number | string): string {
    const key = `${kind} ${value}`
    const name = this.names.get(key) ?? `${kind} #${this.names.size}`
    this.names.set(key, name)
    return name
  }
}
