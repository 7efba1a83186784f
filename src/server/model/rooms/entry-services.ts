import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Actor } from '../../kernel/database/transaction.ts'
import { Service } from '../../kernel/feature-services.ts'

/** The seats of rooms near their capacity. */
export const roomSeats = new Service<{
  /** Whether the room has no seat for the user, as this region knows; those in it keep theirs. Costs no question. */
  isFull(roomId: RoomId, userId: UserId, capacity: number): boolean
  /** Takes a seat: null when granted, else RoomFull, or RegionCut when the primary cannot be asked. */
  take(roomId: RoomId, userId: UserId, capacity: number): Refusal | null | Promise<Refusal | null>
}>('roomSeats')

/** Who enters rooms. */
export const roomVisits = new Service<{
  /** A user has entered a room. */
  onEntered(roomId: RoomId, userId: UserId): void
}>('roomVisits')

/** Checks a room's password, and opens the room to the session when it is right. */
export type CheckRoomPassword = (
  actor: Actor,
  input: { roomId: RoomId; password: string },
  address: string,
) => Promise<{ success: true } | Refusal>

export const checkRoomPassword = new Service<CheckRoomPassword>('checkRoomPassword')
