import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { askedFor } from '../../shared/text/words.ts'
import type { Connection } from '../live/connection.ts'
import type { Handler } from '../live/outcome.ts'
import type { Viewer } from '../live/visibility.ts'
import { goneFrom, isGone } from '../moderation/queries.ts'
import { asShownTo, listMessages } from './queries.ts'

const NOT_IN_ROOM = 'Mesajları görmek için önce odaya girmelisiniz.'
const TOO_SHORT = 'Aramak için en az 2 harf yazın.'

/** What was said in the room before a message, or after it; for those who are in the room now. */
export const getMessages: Handler<'getMessages'> = (world, connection, { roomId, before, after }) => {
  const viewer = viewerIn(connection, roomId)
  if (viewer instanceof Refusal) return viewer
  if (before !== undefined && after !== undefined) return refuse('InvalidInput', { path: 'after' })
  const waitMs = world.snapshots.take(String(viewer.userId), world.clock())
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const page =
    after === undefined
      ? { roomId, id: before ?? Number.MAX_SAFE_INTEGER, side: 'before' as const }
      : { roomId, id: after, side: 'after' as const }
  return { roomId, ...world.read.snapshot((reader) => listMessages(reader, viewer, page)) }
}

/** What was said in the room with these words; for those who are in the room now. */
export const searchMessages: Handler<'searchMessages'> = async (world, connection, { roomId, text, before }) => {
  const viewer = viewerIn(connection, roomId)
  if (viewer instanceof Refusal) return viewer
  if (!askedFor(text)) return refuse('InvalidInput', { path: 'text', message: TOO_SHORT })
  const waitMs = world.searches.take(String(viewer.userId), world.clock())
  if (waitMs > 0) return refuse('RateLimited', { waitMs })
  const found = await world.readSlowly('searchMessages', { viewer, roomId, text, before })
  if (found instanceof Refusal) return found
  // Who has left meanwhile, or was put out, learns nothing any more.
  const stillIn = viewerIn(connection, roomId)
  if (stillIn instanceof Refusal) return stillIn
  // What was taken away while this was looked for was told already, and so was a block.
  const gone = goneFrom(world.read, roomId)
  const messages = found.messages.filter((message) => !isGone(gone, message))
  return { ...found, roomId, messages: messages.flatMap((message) => asShownTo(stillIn, message) ?? []) }
}

function viewerIn({ identity, roomId: here, closed }: Connection, roomId: number): Viewer | Refusal {
  if (!identity || closed) return refuse('NotSignedIn')
  return here === roomId ? identity.viewer : refuse('NotInRoom', { message: NOT_IN_ROOM })
}
