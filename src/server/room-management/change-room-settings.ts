import type { RoomId } from '../../shared/protocol/ids.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { MAX_GREETING_LINES } from '../../shared/room-management/limits.ts'
import { limitLines, plainText } from '../../shared/text/plain-text.ts'
import { defineWrite } from '../database/define-write.ts'
import { query } from '../database/query.ts'
import type { Actor, Transaction } from '../database/transact.ts'
import { findManagedRoom } from '../rooms/access.ts'
import { roomStream } from '../rooms/streams.ts'

export interface ChangeRoomSettings {
  roomId: RoomId
  /** As typed; empty for none. Absent: unchanged. */
  greetingMessage?: string
  slowModeSeconds?: number
}

type RoomSettings = {
  greetingMessage: string | null
  slowModeSeconds: number
}

const updateSettings = query<RoomSettings & { id: RoomId; now: number }>()((db, p) =>
  db
    .updateTable('room')
    .set({ greetingMessage: p('greetingMessage'), slowModeSeconds: p('slowModeSeconds'), updatedAt: p('now') })
    .where('id', '=', p('id')),
)

/** Sets the greeting or the slow mode of a room. Refuses with RoomNotFound or Forbidden. */
export const changeRoomSettings = defineWrite({
  name: 'changeRoomSettings',
  origin: 'anyRegion',
  keepResult: 'week',
  awaitsReplicaAck: false,
  retryInput: 'all',
  run(tx: Transaction, actor: Actor, input: ChangeRoomSettings): RoomSettings | Refusal {
    const room = findManagedRoom(tx, actor, input.roomId)
    if (room instanceof Refusal) return room
    const { slowModeSeconds = room.slowModeSeconds } = input
    const greetingMessage =
      input.greetingMessage === undefined ? room.greetingMessage : normaliseGreeting(input.greetingMessage)
    const settings = { greetingMessage, slowModeSeconds }
    if (greetingMessage === room.greetingMessage && slowModeSeconds === room.slowModeSeconds) return settings
    tx.run(updateSettings, { id: room.id, ...settings, now: tx.now })
    const payload = { roomId: room.id, ...settings }
    tx.emit({ stream: roomStream(room.id), name: 'roomSettingsUpdated', payload, actorId: actor.userId })
    return settings
  },
})

function normaliseGreeting(text: string): string | null {
  return limitLines(plainText(text), MAX_GREETING_LINES) || null
}
