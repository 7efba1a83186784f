import { UNUSED_MEDIA_MS } from '../../../shared/media/limits.ts'
import type { Media, MediaType } from '../../../shared/media/media.ts'
import { picturePath } from '../../../shared/media/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'

/** A stored file; the paths are names below `/uploads/`. */
export interface AddMedia extends Omit<Media, 'mediaId'> {
  sizeBytes: number
  clientId: string
}

/** Uploads removed by one step of the job. */
const STEP = 200

/** The tables of uploads, which have the columns of `MessageMediaColumns`, and of the messages that use them. */
type MediaTable = 'directMedia' | 'roomMedia'
type MessageTable = 'directMessage' | 'message'

/** The files of messages of one kind: their rows from the upload to the end of the last message. */
export class MessageMedia {
  private readonly queries: ReturnType<typeof compileQueries>

  constructor(media: MediaTable, messages: MessageTable) {
    this.queries = compileQueries(media, messages)
  }

  /** A file as messages carry it; null when there is none with this id. */
  find(reader: Pick<Reader, 'get'>, id: number): Media | null {
    const row = reader.get(this.queries.byId, { id })
    if (!row) return null
    const { mediaType, width, height, durationMs, blur } = row
    return {
      mediaId: row.id,
      mediaType,
      originalPath: `/uploads/${row.originalPath}`,
      thumbnailPath: row.thumbnailPath && `/uploads/${row.thumbnailPath}`,
      width,
      height,
      durationMs,
      blur,
      waveform: row.waveform?.split(',').map(Number) ?? null,
    }
  }

  /** The type of a file that this user has uploaded; refuses any other with MediaNotFound. */
  typeOfOwn(reader: Pick<Reader, 'get'>, ownerId: UserId, id: number): MediaType | Refusal {
    const row = reader.get(this.queries.byId, { id })
    return row?.ownerId === ownerId ? row.mediaType : refuse('MediaNotFound')
  }

  /** Whether the file with this hash is the file or the thumbnail of an upload that exists. */
  isInUse(reader: Pick<Reader, 'get'>, hash: string): boolean {
    // The names of a file's extensions are between `hash.` and `hash/`.
    return (
      reader.get(this.queries.originalByHash, { from: `${hash}.`, to: `${hash}/` }) !== undefined ||
      reader.get(this.queries.thumbnailByPath, { path: picturePath(hash) }) !== undefined
    )
  }

  /** Whether this user has uploaded the file and not sent it yet. @param now epoch milliseconds */
  isUnsentOf(reader: Pick<Reader, 'get'>, userId: UserId, path: string, now: number): boolean {
    return reader.get(this.queries.unsentOfOwner, { path, userId, now }) !== undefined
  }

  /**
   * Adds the row of an upload, which expires after a day unless a message uses it. The same `clientId` gets the row that it
   * has already; with another file it is refused with ClientIdReused.
   */
  add(tx: Transaction, actor: Actor | null, input: AddMedia): ({ success: true } & Media) | Refusal {
    if (!actor) return refuse('NotSignedIn')
    const ownerId = actor.userId
    const earlier = tx.get(this.queries.byClientId, { ownerId, clientId: input.clientId })
    if (earlier && earlier.originalPath !== input.originalPath) return refuse('ClientIdReused')
    const id = earlier?.id ?? this.insert(tx, ownerId, input)
    const media = this.find(tx, id)
    if (!media) throw new Error(`the upload ${id} has no row`)
    return { success: true, ...media }
  }

  /** A message uses the file: it does not expire. */
  setUsed(tx: Transaction, id: number): void {
    tx.run(this.queries.setUsed, { id })
  }

  /** Lets the job delete a file whose message was removed, unless another message uses it. */
  expire(tx: Transaction, id: number): void {
    tx.run(this.queries.setExpired, { id, now: tx.now })
  }

  /** Deletes rows that no message uses, some at a time. Their files go with the next sweep of files. */
  deleteUnused(tx: Transaction): { removed: number } {
    const expired = tx.all(this.queries.expired, { now: tx.now })
    for (const { id } of expired) tx.run(this.queries.deleteRow, { id })
    return { removed: expired.length }
  }

  private insert(tx: Transaction, ownerId: UserId, input: AddMedia): number {
    const waveform = input.waveform?.join(',') ?? null
    const expiresAt = tx.now + UNUSED_MEDIA_MS
    return tx.run(this.queries.insert, { ...input, waveform, ownerId, now: tx.now, expiresAt }).lastId
  }
}

function compileQueries(mediaTable: MediaTable, messageTable: MessageTable) {
  // The queries below use only columns that both tables of a pair have.
  const media = mediaTable as 'directMedia'
  return { ...readQueries(media), ...writeQueries(media, messageTable as 'directMessage') }
}

function readQueries(media: 'directMedia') {
  return {
    byId: query<{ id: number }>()((db, p) => db.selectFrom(media).selectAll().where('id', '=', p('id'))),
    byClientId: query<{ ownerId: UserId; clientId: string }>()((db, p) =>
      db
        .selectFrom(media)
        .select(['id', 'originalPath'])
        .where('ownerId', '=', p('ownerId'))
        .where('clientId', '=', p('clientId')),
    ),
    originalByHash: query<{ from: string; to: string }>()((db, p) =>
      db
        .selectFrom(media)
        .select('id')
        .where('originalPath', '>=', p('from'))
        .where('originalPath', '<', p('to'))
        .limit(1),
    ),
    thumbnailByPath: query<{ path: string }>()((db, p) =>
      db.selectFrom(media).select('id').where('thumbnailPath', '=', p('path')).limit(1),
    ),
    /** A file that is sent often has many rows: one answers for all of them. */
    unsentOfOwner: query<{ path: string; userId: UserId; now: number }>()((db, p) =>
      db
        .selectFrom(media)
        .select('id')
        .where((eb) => eb.or([eb('originalPath', '=', p('path')), eb('thumbnailPath', '=', p('path'))]))
        .where('ownerId', '=', p('userId'))
        // Not one whose message was removed.
        .where('expiresAt', '>', p('now'))
        .limit(1),
    ),
    /** Leaves the newest of all uploads: SQLite would give its id again, and an unsent message would send another file. */
    expired: query<{ now: number }>()((db, p) =>
      db
        .selectFrom(media)
        .select('id')
        .where('expiresAt', '<=', p('now'))
        .where('id', '<', (eb) => eb.selectFrom(media).select((max) => max.fn.max('id').as('id')))
        .limit(STEP),
    ),
  }
}

type NewRow = Omit<AddMedia, 'waveform'> & { ownerId: UserId; waveform: string | null; now: number; expiresAt: number }

function writeQueries(media: 'directMedia', messages: 'directMessage') {
  return {
    insert: query<NewRow>()((db, p) =>
      db.insertInto(media).values({
        ownerId: p('ownerId'),
        mediaType: p('mediaType'),
        originalPath: p('originalPath'),
        thumbnailPath: p('thumbnailPath'),
        sizeBytes: p('sizeBytes'),
        width: p('width'),
        height: p('height'),
        durationMs: p('durationMs'),
        blur: p('blur'),
        waveform: p('waveform'),
        createdAt: p('now'),
        clientId: p('clientId'),
        expiresAt: p('expiresAt'),
      }),
    ),
    setUsed: query<{ id: number }>()((db, p) =>
      db.updateTable(media).set({ expiresAt: null }).where('id', '=', p('id')),
    ),
    setExpired: query<{ id: number; now: number }>()((db, p) =>
      db
        .updateTable(media)
        .set({ expiresAt: p('now') })
        .where('id', '=', p('id'))
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom(messages).select(`${messages}.id`).where('mediaId', '=', p('id')))),
        ),
    ),
    deleteRow: query<{ id: number }>()((db, p) => db.deleteFrom(media).where('id', '=', p('id'))),
  }
}
