import type { UserId } from '../../../shared/protocol/ids.ts'
import type { ShownPlace } from '../../../shared/text-filters/protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import { userById } from '../accounts/queries.ts'
import { roomById } from '../rooms/queries.ts'
import { query } from '../schema/query.ts'
import type { PlaceKind } from '../schema/text-filters.ts'
import type { TextPlace } from '../text-screening/transactions.ts'

/** The place of a text as rows have it. */
export interface PlaceColumns {
  placeKind: PlaceKind
  placeId: number | null
}

const messageByClientId = query<{ userId: UserId; clientId: string }>()((db, p) =>
  db.selectFrom('message').select('id').where('senderId', '=', p('userId')).where('clientId', '=', p('clientId')),
)

export function toPlaceColumns(place: TextPlace): PlaceColumns {
  const placeKind = place.kind === 'name' ? 'profile' : place.kind
  if (place.kind === 'room') return { placeKind, placeId: place.roomId }
  if (place.kind === 'direct') return { placeKind, placeId: place.recipientId }
  return { placeKind, placeId: place.kind === 'comment' ? place.postId : null }
}

/** The place of a text with the names that a link to it shows. */
export function showPlace(
  reader: Pick<Reader, 'get'>,
  { placeKind, placeId, userId, clientId }: PlaceColumns & { userId: UserId; clientId: string | null },
): ShownPlace {
  const id = placeId ?? 0
  if (placeKind === 'room') {
    const messageId = clientId === null ? null : (reader.get(messageByClientId, { userId, clientId })?.id ?? null)
    return { kind: 'room', roomId: id, roomName: reader.get(roomById, { id })?.name ?? null, messageId }
  }
  if (placeKind === 'direct') return { kind: 'direct', recipient: reader.get(userById, { id })?.username ?? null }
  return placeKind === 'comment' ? { kind: 'comment', postId: id } : { kind: placeKind }
}
