import { isDeepStrictEqual } from 'node:util'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { MAX_GREETING_LENGTH, MAX_GREETING_LINES } from '../../../shared/room-management/limits.ts'
import { limitLines, plainText } from '../../../shared/text/plain-text.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Actor, Transaction } from '../../kernel/database/transaction.ts'
import { roomStream } from '../../kernel/presence/streams.ts'
import { userById } from '../../model/accounts/queries.ts'
import { type RecordedAction, recordAction } from '../../model/audit/transactions.ts'
import { findManagedRoom } from '../../model/rooms/access.ts'
import type { RoomRow } from '../../model/rooms/queries.ts'
import { updateRow } from '../../model/schema/query.ts'
import { screenText } from '../../model/text-screening/transactions.ts'

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

const updateSettings = updateRow(
  'room',
  ['id'],
  ['greetingMessage', 'slowModeSeconds', 'backgroundImage', 'smallBackgroundImage', 'backgroundImageHash', 'updatedAt'],
)

/** Sets the greeting, the slow mode or the background of a room. Refuses with RoomNotFound or Forbidden. */
export const changeRoomSettings = defineCommand({
  name: 'changeRoomSettings',
  run(tx: Transaction, actor: Actor, input: ChangeRoomSettings): RoomSettings | Refusal {
    const room = findManagedRoom(tx, actor, input.roomId)
    if (room instanceof Refusal) return room
    const greetingMessage = submitGreeting(tx, actor, input.greetingMessage)
    if (greetingMessage instanceof Refusal) return greetingMessage
    const before = settingsOf(room)
    const settings = settingsOf({
      ...room,
      ...(greetingMessage !== undefined && { greetingMessage }),
      ...(input.slowModeSeconds !== undefined && { slowModeSeconds: input.slowModeSeconds }),
      ...(input.background === null ? NO_BACKGROUND : input.background),
    })
    if (isDeepStrictEqual(settings, before)) return settings
    tx.run(updateSettings, { id: room.id, ...settings, updatedAt: tx.now })
    const payload = { roomId: room.id, ...settings }
    tx.emit({ stream: roomStream(room.id), name: 'roomSettingsUpdated', payload, actorId: actor.userId })
    recordChanges(tx, { actorId: actor.userId, roomId: room.id }, before, settings)
    return settings
  },
})

function recordChanges(
  tx: Transaction,
  where: Pick<RecordedAction, 'actorId' | 'roomId'>,
  before: RoomSettings,
  { greetingMessage: text, slowModeSeconds: seconds, backgroundImageHash }: RoomSettings,
): void {
  if (text !== before.greetingMessage) recordAction(tx, { ...where, kind: 'roomGreetingChanged', details: { text } })
  if (seconds !== before.slowModeSeconds) {
    const details = { seconds, secondsBefore: before.slowModeSeconds }
    recordAction(tx, { ...where, kind: 'slowModeChanged', details })
  }
  if (backgroundImageHash !== before.backgroundImageHash) {
    recordAction(tx, { ...where, kind: backgroundImageHash === null ? 'roomBackgroundRemoved' : 'roomBackgroundSet' })
  }
}

function settingsOf(room: RoomSettings): RoomSettings {
  const { greetingMessage, slowModeSeconds, backgroundImage, smallBackgroundImage, backgroundImageHash } = room
  return { greetingMessage, slowModeSeconds, backgroundImage, smallBackgroundImage, backgroundImageHash }
}

/** The greeting to store, null for none; undefined when it is not changed. */
function submitGreeting(tx: Transaction, actor: Actor, typed: string | undefined): string | null | undefined | Refusal {
  if (typed === undefined) return undefined
  const text = limitLines(plainText(typed), MAX_GREETING_LINES)
  // Also those who may not submit a text remove theirs.
  if (text === '') return null
  const sender = tx.get(userById, { id: actor.userId })
  if (!sender) return refuse('SessionEnded')
  const submitted = screenText(tx, { sender, place: { kind: 'roomText' }, text, maxLength: MAX_GREETING_LENGTH })
  return submitted
}
