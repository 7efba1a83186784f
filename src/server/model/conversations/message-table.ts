import { type InsertResult, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MessageId } from '../../../shared/protocol/ids.ts'
import { MESSAGES_PER_PAGE } from '../../../shared/room-chat/limits.ts'
import type { Message, Quote } from '../../../shared/room-chat/message.ts'
import { messageQuote } from '../../../shared/room-chat/quotes.ts'
import { unavailableQuote } from '../../../shared/room-chat/redacted-quotes.ts'
import type { RetryKey } from '../../kernel/database/commands/define-command.ts'
import type { Audience } from '../../kernel/database/events/streams.ts'
import type { Params, Query } from '../../kernel/database/query.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Flag } from '../../kernel/database/schema.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import {
  type Authored,
  canRead,
  canReceive,
  isShownAsGhost,
  NO_BLOCKS,
  type Viewer,
} from '../../kernel/live/visibility.ts'
import { type VisibilityParams, visibilityOf, visibleTo } from '../../kernel/live/visible-to.ts'
import type { UserRow } from '../accounts/queries.ts'
import { MessageMedia } from '../media/transactions.ts'
import { notRemoved } from '../message-removal/queries.ts'
import { insertRow, query } from '../schema/query.ts'

/** The column with the conversation of a message. */
type PlaceColumn = 'roomId' | 'conversationId'

/** A message before it has an id. */
export type NewMessage<Place extends PlaceColumn> = Record<Place, number> & {
  content: string
  clientId: string
  createdAt: number
  replyToId: MessageId | null
  mediaId: number | null
}

/** A row of a message with what a bubble shows of its sender. */
export type MessageRow<Place extends PlaceColumn> = NewMessage<Place> &
  Pick<Message, 'id' | 'senderId' | 'senderUsername' | 'senderGender' | 'senderAvatarUrl' | 'senderRole'> & {
    senderIsGuest: Flag
    isRemoved: Flag
    audience: Audience | null
  }

/** A message as it is shown, but for what its kind adds. */
type ShownMessage = Omit<Message, 'roomId' | 'mediaId'>

/** A reply, as far as its quote depends on it. */
type Reply<Place extends PlaceColumn> = Pick<MessageRow<Place>, Place | 'id' | 'senderId' | 'senderRole'> & {
  replyToId: MessageId
}

/** The messages of a conversation before or after an id. */
export interface PageRange<Row> {
  placeId: number
  id: MessageId
  side: 'before' | 'after'
  /** Only messages after this id. */
  above: MessageId
  isKept?: (row: Row) => boolean
  /** A viewer who may see few messages of a conversation gets a shorter page after so many reads. */
  maxReads?: number
}

const MAX_PAGE_READS = 25

/** Whether the viewer may see this message: the one check for pages, history and search. */
export function canSeeMessage(
  viewer: Viewer,
  { senderId, audience }: Pick<MessageRow<PlaceColumn>, 'senderId' | 'audience'>,
): boolean {
  return canRead(viewer, { actorId: senderId, audience })
}

/** The user as a viewer from whom no block hides anything. */
export function viewerWithoutBlocks({ id: userId, role }: Pick<UserRow, 'id' | 'role'>): Viewer {
  return { userId, role, sessionId: 0, blockedIds: NO_BLOCKS }
}

/** The tables of one kind of conversation. */
interface Definition<Place> {
  messages: 'message' | 'directMessage'
  media: 'roomMedia' | 'directMedia'
  place: Place
  /** The condition on a row, as `message`, that no removal covers it. */
  isPresent: RawBuilder<SqlBool>
}

/** The messages of one kind of conversation. */
export class MessageTable<Place extends PlaceColumn> {
  readonly media: MessageMedia
  private readonly place: Place
  private readonly queries: ReturnType<typeof compileQueries>

  constructor(definition: Definition<Place>) {
    this.place = definition.place
    this.media = new MessageMedia(definition.media, definition.messages)
    this.queries = compileQueries(definition)
  }

  /** The row of a message that exists, also where a moderator has removed its text. */
  find(reader: Pick<Reader, 'get'>, id: MessageId): MessageRow<Place> | undefined {
    return this.toRow(reader.get(this.queries.byId, { id }))
  }

  /** The message that its sender has sent under this clientId. */
  findSent(reader: Pick<Reader, 'get'>, key: RetryKey): MessageRow<Place> | undefined {
    return this.toRow(reader.get(this.queries.bySender, key))
  }

  /** Whether a message exists and is not removed. */
  isPresent(reader: Pick<Reader, 'get'>, id: MessageId): boolean {
    return this.find(reader, id)?.isRemoved === 0
  }

  /** Up to 40 messages that this viewer may see, oldest first; `more`: there are further ones on that side. */
  listPage(
    reader: Pick<Reader, 'all'>,
    viewer: Viewer,
    { placeId, id, side, above, isKept = () => true, maxReads = MAX_PAGE_READS }: PageRange<MessageRow<Place>>,
  ): { rows: MessageRow<Place>[]; more: boolean } {
    const page: MessageRow<Place>[] = []
    let from = side === 'after' ? Math.max(id, above) : id
    let more = true
    for (let reads = 0; more && page.length <= MESSAGES_PER_PAGE && reads < maxReads; reads++) {
      const range = side === 'before' ? { above, below: from } : { above: from, below: Number.MAX_SAFE_INTEGER }
      const params = { placeId, ...range, ...visibilityOf(viewer) }
      const rows = reader.all(this.queries[side], params) as unknown as MessageRow<Place>[] // as `toRow`
      from = rows.at(-1)?.id ?? from
      more = rows.length > MESSAGES_PER_PAGE
      page.push(...rows.filter((row) => canSeeMessage(viewer, row) && isKept(row)))
    }
    const rows = page.slice(0, MESSAGES_PER_PAGE)
    return { rows: side === 'before' ? rows.reverse() : rows, more: more || page.length > MESSAGES_PER_PAGE }
  }

  /** The message of a row as this viewer may see it. @param quotesAbove an original up to this id is unavailable */
  toMessage(reader: Pick<Reader, 'get'>, viewer: Viewer, row: MessageRow<Place>, quotesAbove = 0): ShownMessage {
    const { senderId, audience, replyToId } = row
    const isGuest = row.senderIsGuest === 1
    const replyTo = replyToId === null ? null : this.quoteFor(reader, viewer, { ...row, replyToId }, quotesAbove)
    const media = row.mediaId === null ? null : this.media.find(reader, row.mediaId)
    return {
      id: row.id,
      content: row.content,
      createdAt: row.createdAt,
      senderId,
      senderUsername: row.senderUsername,
      senderGender: row.senderGender,
      senderAvatarUrl: isGuest ? null : row.senderAvatarUrl,
      senderIsGuest: isGuest,
      senderRole: row.senderRole,
      clientId: row.clientId,
      ...(row.isRemoved === 1 && { isRemoved: true as const }),
      ...(replyTo && { replyTo }),
      ...(media && { media }),
      ...(isShownAsGhost(viewer, { actorId: senderId, audience }) && { isGhost: true as const }),
    }
  }

  /**
   * The quote of a reply with its original, as the author of the reply sees it; blocks aside. Without an original there is
   * none, or the author cannot see it, as with an id that a client invented.
   */
  findQuote(reader: Pick<Reader, 'get'>, reply: Reply<Place>): { quote: Quote; original: Authored | null } {
    const { replyToId: id, id: answerId } = reply
    const row = reader.get(this.queries.quoted, { placeId: reply[this.place], id, answerId })
    const original = row ? { actorId: row.senderId, audience: row.audience } : null
    const author = viewerWithoutBlocks({ id: reply.senderId, role: reply.senderRole })
    if (!row || !original || !canReceive(author, original)) return { quote: unavailableQuote(id), original: null }
    const { content, mediaType, senderId, senderUsername, isRemoved } = row
    if (isRemoved === 1) return { quote: unavailableQuote(id), original }
    return { quote: { id, content: messageQuote(content, mediaType), senderId, senderUsername }, original }
  }

  /** Stores a message. That of a ghost is for the ghost and root admins only. @param extra the other columns of its table */
  insert(
    tx: Transaction,
    sender: UserRow,
    message: NewMessage<Place>,
    extra: Record<string, number> = {},
  ): MessageRow<Place> {
    const audience = sender.isGhost === 1 ? ('actor' as const) : null
    const { lastId: id } = tx.run(this.queries.insert, { ...message, ...extra, senderId: sender.id, audience })
    if (message.mediaId !== null) this.media.setUsed(tx, message.mediaId)
    return {
      ...message,
      id,
      audience,
      isRemoved: 0,
      senderId: sender.id,
      senderUsername: sender.username,
      senderGender: sender.gender,
      senderAvatarUrl: sender.avatarUrl,
      senderIsGuest: sender.isGuest,
      senderRole: sender.role,
    }
  }

  /** The quote as the viewer may see it; null where it is hidden from the viewer, who must not know of it. */
  private quoteFor(
    reader: Pick<Reader, 'get'>,
    viewer: Viewer,
    reply: Reply<Place>,
    quotesAbove: MessageId,
  ): Quote | null {
    if (reply.replyToId <= quotesAbove) return unavailableQuote(reply.replyToId)
    const { quote, original } = this.findQuote(reader, reply)
    if (!original || canRead(viewer, original)) return quote
    return canReceive(viewer, original) ? unavailableQuote(quote.id) : null
  }

  /** The queries name the place after the column of rooms: the rows have that of their table. */
  private toRow(row: MessageRow<'roomId'> | undefined): MessageRow<Place> | undefined {
    return row as MessageRow<Place> | undefined
  }
}

/** The columns of `MessageRow` but that of its place. */
export const messageColumns = [
  'message.id',
  'message.content',
  'message.createdAt',
  'message.clientId',
  'message.audience',
  'message.senderId',
  'user.username as senderUsername',
  'user.gender as senderGender',
  'user.avatarUrl as senderAvatarUrl',
  'user.isGuest as senderIsGuest',
  'user.role as senderRole',
  'message.replyToId',
  'message.mediaId',
  'message.isRemoved',
] as const

function compileQueries({ messages, media, place, isPresent }: Definition<PlaceColumn>) {
  // Both pairs of tables have the columns that these queries use, and the place under its own name.
  const table = messages as 'message'
  const source = `${table} as message` as const
  const mediaTable = `${media as 'roomMedia'} as media` as const
  const placeColumn = `message.${place as 'roomId'}` as const
  const columns = [...messageColumns, placeColumn] as const
  const insert: Query<Params, InsertResult> = insertRow(table, [
    place as 'roomId',
    'senderId',
    'content',
    'audience',
    'clientId',
    'createdAt',
    'replyToId',
    'mediaId',
    ...(messages === 'message' ? (['consecutiveCount'] as const) : []),
  ])
  const beside = (side: 'before' | 'after') =>
    query<{ placeId: number; above: MessageId; below: MessageId } & VisibilityParams>()((db, p) =>
      db
        .selectFrom(source)
        .innerJoin('user', 'user.id', 'message.senderId')
        .select(columns)
        .where(placeColumn, '=', p('placeId'))
        .where('message.id', '>', p('above'))
        .where('message.id', '<', p('below'))
        .where(visibleTo(p, 'message.senderId'))
        .orderBy('message.id', side === 'before' ? 'desc' : 'asc')
        .limit(MESSAGES_PER_PAGE + 1),
    )
  return {
    before: beside('before'),
    after: beside('after'),
    byId: query<{ id: MessageId }>()((db, p) =>
      db
        .selectFrom(source)
        .innerJoin('user', 'user.id', 'message.senderId')
        .select(columns)
        .where('message.id', '=', p('id'))
        .where(isPresent),
    ),
    bySender: query<RetryKey & Record<string, string | number>>()((db, p) =>
      db
        .selectFrom(source)
        .innerJoin('user', 'user.id', 'message.senderId')
        .select(columns)
        .where('message.senderId', '=', p('userId'))
        .where('message.clientId', '=', p('clientId')),
    ),
    quoted: query<{ placeId: number; id: MessageId; answerId: MessageId }>()((db, p) =>
      db
        .selectFrom(source)
        .innerJoin('user', 'user.id', 'message.senderId')
        .leftJoin(mediaTable, 'media.id', 'message.mediaId')
        .select([
          'message.content',
          'user.username as senderUsername',
          'message.senderId',
          'message.audience',
          'media.mediaType',
          sql<Flag>`message.isRemoved = 1 or not (${isPresent})`.as('isRemoved'),
        ])
        .where('message.id', '=', p('id'))
        .where(placeColumn, '=', p('placeId'))
        // An id that a client invented must not quote a message that is written later.
        .where('message.id', '<', p('answerId')),
    ),
    insert,
  }
}

export const roomMessages = new MessageTable({
  messages: 'message',
  media: 'roomMedia',
  place: 'roomId',
  isPresent: notRemoved,
})

export const directMessages = new MessageTable({
  messages: 'directMessage',
  media: 'directMedia',
  place: 'conversationId',
  isPresent: sql<boolean>`true`,
})
