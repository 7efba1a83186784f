import type { MessageId, RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { defineCommand } from '../../kernel/database/commands/define-command.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { runInSteps } from '../../kernel/operations/jobs.ts'
import { deleteMessages } from '../../model/conversations/room-transactions.ts'
import { query } from '../../model/schema/query.ts'
import { findLargeRooms, type MeasuredStep, measureRoomStep } from './measure-rooms.ts'

/** Takes the writer a few milliseconds. */
const STEP = 500

export interface TrimRoom {
  roomId: RoomId
  /** The newest message that goes. It is not the room's newest, whose id SQLite could give again. */
  upTo: MessageId
}

const oldestMessages = query<TrimRoom & Record<string, number>>()((db, p) =>
  db
    .selectFrom('message')
    .select(['id', 'senderId', 'clientId', 'createdAt'])
    .where('roomId', '=', p('roomId'))
    .where('id', '<=', p('upTo'))
    .orderBy('id')
    .limit(STEP),
)

/** One step of deleting the oldest messages of a room, as `trimMessages` deletes old ones. */
export const trimRoom = defineCommand({
  name: 'trimRoom',
  origin: 'primary',
  keepResult: 'never',
  run(tx: Transaction, _actor: null, { roomId, upTo }: TrimRoom): { removed: number } {
    const oldest = tx.all(oldestMessages, { roomId, upTo })
    return { removed: oldest.length === 0 ? 0 : deleteMessages(tx, oldest) }
  },
})

/** Deletes the oldest messages of each room whose messages take more than `maxBytes`. */
export async function trimLargeRooms(
  { readInWorker, execute }: Pick<AppContext, 'readInWorker' | 'execute'>,
  maxBytes: number,
): Promise<void> {
  const rooms = await readInWorker(findLargeRooms, { maxBytes })
  if (rooms instanceof Refusal) return
  for (const roomId of rooms) {
    let step: MeasuredStep | Refusal = { next: { roomId, maxBytes, bytes: 0, before: Number.MAX_SAFE_INTEGER } }
    while (!(step instanceof Refusal) && 'next' in step) step = await readInWorker(measureRoomStep, step.next)
    if (step instanceof Refusal) return
    if (step.firstExcess !== null) await runInSteps(execute, trimRoom, { roomId, upTo: step.firstExcess })
  }
}
