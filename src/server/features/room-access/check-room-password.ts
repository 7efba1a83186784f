import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import {
  ROOM_PASSWORD_TRIES_OF_ADDRESS,
  ROOM_PASSWORD_TRIES_OF_PERSON,
  ROOM_PASSWORD_TRIES_OF_ROOM,
} from '../../../shared/room-access/limits.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { addressGroup } from '../../kernel/http/client-address.ts'
import type { Charge } from '../../kernel/limits/person-limiters.ts'
import { retryWhenFresh } from '../../kernel/regions/retry-when-fresh.ts'
import { passwords } from '../../model/accounts/passwords.ts'
import { findContentRefusal } from '../../model/rooms/access.ts'
import type { CheckRoomPassword } from '../../model/rooms/entry-services.ts'
import { roomById } from '../../model/rooms/queries.ts'
import { grantRoom } from './grant-room.ts'

/** Each try costs a point of its person, its address and its room; only a wrong password keeps them. */
export function createPasswordCheck(appContext: AppContext): CheckRoomPassword {
  return async (actor, { roomId, password }, address) => {
    const { personLimiters, reader, clock, execute } = appContext
    const closure = findContentRefusal(appContext, reader, actor, roomId)
    if (closure?.body.code !== 'RoomPasswordRequired') return closure ?? { success: true }
    const group = addressGroup(address)
    const charges = chargesOfTry(actor.userId, group, roomId)
    const waitMs = personLimiters.consumeAll(charges, clock())
    if (waitMs > 0) return refuse('RateLimited', { waitMs })
    const verifiedHash = await findMatchingHash(appContext, roomId, password, { userId: actor.userId, address: group })
    const isWrong = verifiedHash instanceof Refusal && verifiedHash.body.code === 'RoomPasswordWrong'
    if (!isWrong) personLimiters.refundAll(charges)
    if (verifiedHash instanceof Refusal) return verifiedHash
    return execute(grantRoom, actor, { roomId, verifiedHash })
  }
}

function chargesOfTry(userId: UserId, address: string, roomId: RoomId): Charge[] {
  return [
    { limit: ROOM_PASSWORD_TRIES_OF_PERSON, key: userId, points: 1 },
    { limit: ROOM_PASSWORD_TRIES_OF_ADDRESS, key: address, points: 1 },
    { limit: ROOM_PASSWORD_TRIES_OF_ROOM, key: roomId, points: 1 },
  ]
}

/** The stored hash that the password matches, else RoomPasswordWrong or Busy. A replica may lack a new password. */
function findMatchingHash(
  appContext: AppContext,
  roomId: RoomId,
  password: string,
  { userId, address }: { userId: UserId; address: string },
): Promise<string | Refusal> {
  const work = { queue: 'rooms', address, account: String(userId) } as const
  return retryWhenFresh(appContext, 'RoomPasswordWrong', async () => {
    const storedHash = appContext.reader.get(roomById, { id: roomId })?.passwordHash ?? null
    const isMatch = await appContext.service(passwords).verify(password, storedHash, work)
    if (isMatch instanceof Refusal) return isMatch
    return isMatch && storedHash !== null ? storedHash : refuse('RoomPasswordWrong')
  })
}
