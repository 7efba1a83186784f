import { fetchRoom, type RoomDetails } from '../rooms/fetch-room.ts'
import { roomConversations } from './state.ts'

/** Reads the shown room again, where events are missing. */
export function refetchShownRoom(apply: (room: RoomDetails['room']) => void): void {
  const roomId = roomConversations.current?.roomId
  if (roomId === undefined) return
  fetchRoom(roomId).then(
    ({ room }) => apply(room),
    (error) => console.warn('The room was not read again.', error),
  )
}
