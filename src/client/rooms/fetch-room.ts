import type * as v from 'valibot'
import { HTTP_TIMEOUT_MS } from '../../shared/room-chat/limits.ts'
import type { routes } from '../../shared/rooms/protocol.ts'
import { browserEnvironment } from '../live/environment.ts'

/** One room with its owner and admins. */
export type RoomDetails = v.InferOutput<typeof routes.roomById.answer>

/** `GET /rooms/{id}`. Rejects when there is no answer, or no such room. */
export async function fetchRoom(roomId: number): Promise<RoomDetails> {
  const response = await browserEnvironment.fetch(`/api/rooms/${roomId}`, {
    signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`room ${roomId} answered ${response.status}`)
  return (await response.json()) as RoomDetails // our own server validated it
}
