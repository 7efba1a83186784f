import type { RoomId } from '../../shared/protocol/ids.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import {
  ROOM_PASSWORD_TRIES_OF_ADDRESS,
  ROOM_PASSWORD_TRIES_OF_PERSON,
  ROOM_PASSWORD_TRIES_OF_ROOM,
} from '../../shared/room-entry/limits.ts'
import type { AppContext } from '../app-context.ts'
import type { Actor } from '../database/transact.ts'
import { addressGroup } from '../http/client-address.ts'
import { createRateLimiter } from '../limits/rate-limiter.ts'
import { retryWhenFresh } from '../regions/retry-when-fresh.ts'
import { findContentRefusal } from '../rooms/access.ts'
import { roomById } from '../rooms/queries.ts'
import { grantRoom } from './grant-room.ts'

/** Checks a room's password, and opens the room to the session when it is right. */
export type CheckRoomPassword = (
  actor: Actor,
  input: { roomId: RoomId; password: string },
  address: string,
) => Promise<{ success: true } | Refusal>

/** Each try costs a point of its person, its address and its room; a right password gives them back. */
export function createPasswordCheck(appContext: AppContext): CheckRoomPassword {
  const tries = createTryLimits(appContext)
  return async (actor, { roomId, password }, address) => {
    const closure = findContentRefusal(appContext, appContext.reader, actor, roomId)
    if (closure?.body.code !== 'RoomPasswordRequired') return closure ?? { success: true }
    const keys = [String(actor.userId), addressGroup(address), String(roomId)] as const
    const waitMs = tries.consume(keys)
    if (waitMs > 0) return refuse('RateLimited', { waitMs })
    const verifiedHash = await findMatchingHash(appContext, roomId, password)
    if (verifiedHash instanceof Refusal) {
      if (verifiedHash.body.code !== 'RoomPasswordWrong') tries.refund(keys)
      return verifiedHash
    }
    tries.refund(keys)
    return appContext.execute(grantRoom, actor, { roomId, verifiedHash })
  }
}

/** The stored hash that the password matches, else RoomPasswordWrong or Busy. A replica may lack a new password. */
function findMatchingHash(appContext: AppContext, roomId: RoomId, password: string): Promise<string | Refusal> {
  return retryWhenFresh(appContext, 'RoomPasswordWrong', async () => {
    const storedHash = appContext.reader.get(roomById, { id: roomId })?.passwordHash ?? null
    const isMatch = await appContext.services().passwords.verify(password, storedHash)
    if (isMatch instanceof Refusal) return isMatch
    return isMatch && storedHash !== null ? storedHash : refuse('RoomPasswordWrong')
  })
}

type TryKeys = readonly [person: string, address: string, room: string]

function createTryLimits({ settings, clock }: AppContext) {
  const limits = [ROOM_PASSWORD_TRIES_OF_PERSON, ROOM_PASSWORD_TRIES_OF_ADDRESS, ROOM_PASSWORD_TRIES_OF_ROOM]
  const limiters = limits.map(({ points, perMs }) => createRateLimiter({ points: points * settings.limitScale, perMs }))
  const refund = (keys: TryKeys, count = limiters.length): void => {
    for (const [index, limiter] of limiters.slice(0, count).entries()) limiter.refund(keys[index] ?? '')
  }
  /** Takes a point of each, or of none. Returns 0, or the milliseconds to wait. */
  const consume = (keys: TryKeys): number => {
    for (const [index, limiter] of limiters.entries()) {
      const waitMs = limiter.consume(keys[index] ?? '', clock())
      if (waitMs === 0) continue
      refund(keys, index)
      return waitMs
    }
    return 0
  }
  return { consume, refund: (keys: TryKeys) => refund(keys) }
}
