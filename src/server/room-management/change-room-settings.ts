import { isDeepStrictEqual } from 'node:util'
import type { RoomId } from '../../shared/protocol/ids.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { MAX_GREETING_LINES } from '../../shared/room-management/limits.ts'
import { limitLines, plainText } from '../../shared/text/plain-text.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { findManagedRoom } from '../rooms/access.ts'
import type { RoomRow } from '../rooms/queries.ts'
import { roomStream } from '../rooms/streams.ts'

type RoomBackground = Record<'backgroundImage' | 'smallBackgroundImage' | 'backgroundImageHash', string>

/** An absent field leaves its setting as it is. */
export interface ChangeRoomSettings {
  roomId: RoomId
  /** As typed; empty for none. */
  greetingMessage?: string
  slowModeSeconds?: number
  /** null for none. */
  background?: RoomBackground | null
}

type RoomSettings = Pick<RoomRow, 'greetingMessage' | 'slowModeSeconds' | keyof RoomBackground>

const NO_BACKGROUND = { backgroundImage: null, smallBackgroundImage: null, backgroundImageHash: null }

const updateSettings = query<RoomSettings & { id: RoomId; now: number }>()((db, p) =>
  db
    .updateTable('room')
    .set({
      greetingMessage: p('greetingMessage'),
      slowModeSeconds: p('slowModeSeconds'),
      backgroundImage: p('backgroundImage'),
      smallBackgroundImage: p('smallBackgroundImage'),
      backgroundImageHash: p('backgroundImageHash'),
      updatedAt: p('now'),
    })
    .where('id', '=', p('id')),
)

/** Sets the greeting, the slow mode or the background of a room. Refuses with RoomNotFound or Forbidden. */
export const changeRoomSettings = defineWrite({
  name: 'changeRoomSettings',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor, input: ChangeRoomSettings): RoomSettings | Refusal {
    const room = findManagedRoom(tx, actor, input.roomId)
    if (room instanceof Refusal) return room
    const before = settingsOf(room)
    const settings = settingsOf({
      ...room,
      ...(input.greetingMessage !== undefined && { greetingMessage: normaliseGreeting(input.greetingMessage) }),
      ...(input.slowModeSeconds !== undefined && { slowModeSeconds: input.slowModeSeconds }),
      ...(input.background === null ? NO_BACKGROUND : input.background),
    })
    if (isDeepStrictEqual(settings, before)) return settings
    tx.run(updateSettings, { id: room.id, ...settings, now: tx.now })
    const payload = { roomId: room.id, ...settings }
    tx.emit({ stream: roomStream(room.id), name: 'roomSettingsUpdated', payload, actorId: actor.userId })
    return settings
  },
})

function settingsOf(room: RoomSettings): RoomSettings {
  const { greetingMessage, slowModeSeconds, backgroundImage, smallBackgroundImage, backgroundImageHash } = room
  return { greetingMessage, slowModeSeconds, backgroundImage, smallBackgroundImage, backgroundImageHash }
}

function normaliseGreeting(text: string): string | null {
  return limitLines(plainText(text), MAX_GREETING_LINES) || null
}
