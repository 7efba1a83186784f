import { UNUSED_MEDIA_MS } from '../../shared/direct-messages/limits.ts'
import type { Media } from '../../shared/media/media.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { getMedia } from './queries.ts'

/** A stored file; the paths are names below `/uploads/`. */
export interface AddMedia extends Omit<Media, 'mediaId'> {
  sizeBytes: number
  clientId: string
}

const mediaByClientId = query<{ ownerId: UserId; clientId: string }>()((db, p) =>
  db
    .selectFrom('directMedia')
    .select(['id', 'originalPath'])
    .where('ownerId', '=', p('ownerId'))
    .where('clientId', '=', p('clientId')),
)
const insertMedia = query<
  Omit<AddMedia, 'waveform'> & { ownerId: UserId; waveform: string | null; now: number; expiresAt: number }
>()((db, p) =>
  db.insertInto('directMedia').values({
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
)

/**
 * Adds the row of an upload, which expires after a day unless a message uses it. The same `clientId` gets the row that it
 * has already; with another file it is refused with ClientIdReused.
 */
export const addMedia = defineWrite({
  name: 'addDirectMedia',
  origin: 'anyRegion',
  // The row is looked up here, because the message of the upload has the same clientId.
  keepResult: 'never',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor | null, input: AddMedia): ({ success: true } & Media) | Refusal {
    if (!actor) return refuse('NotSignedIn')
    const ownerId = actor.userId
    const earlier = tx.get(mediaByClientId, { ownerId, clientId: input.clientId })
    if (earlier && earlier.originalPath !== input.originalPath) return refuse('ClientIdReused')
    const id = earlier?.id ?? insert(tx, ownerId, input)
    const media = getMedia(tx, id)
    if (!media) throw new Error(`the upload ${id} has no row`)
    return { success: true, ...media }
  },
})

function insert(tx: Transaction, ownerId: UserId, input: AddMedia): number {
  const waveform = input.waveform?.join(',') ?? null
  const expiresAt = tx.now + UNUSED_MEDIA_MS
  return tx.run(insertMedia, { ...input, waveform, ownerId, now: tx.now, expiresAt }).lastId
}
