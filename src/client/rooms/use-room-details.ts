import { useCallback, useEffect, useState } from 'react'
import type { RoomId } from '../../shared/protocol/ids.ts'
import { session } from '../accounts/session.ts'
import { loadStatus, type StatusAnswer } from '../site-status/load-status.ts'
import { fetchRoom, type RoomDetails } from './fetch-room.ts'
import type { ManagementRole } from './room-management-section.ts'
import { shownRoom } from './shown-room.ts'

export interface ManagedRoom {
  details: RoomDetails
  /** null outside the room. */
  status: StatusAnswer | null
}

/** A room's details and user counts. A reload keeps the present ones until it succeeds. */
export function useRoomDetails(roomId: RoomId): { room: ManagedRoom | null; isFailed: boolean; reload: () => void } {
  const [room, setRoom] = useState<ManagedRoom | null>(null)
  const [isFailed, setFailed] = useState(false)
  const reload = useCallback(() => {
    setFailed(false)
    const status = shownRoom.peek()?.id === roomId ? loadStatus(roomId).catch(() => null) : null
    Promise.all([fetchRoom(roomId), status]).then(
      ([details, counts]) => setRoom({ details, status: counts }),
      (error) => {
        console.warn('Loading failed.', error)
        setFailed(true)
      },
    )
  }, [roomId])
  useEffect(reload, [reload])
  return { room, isFailed, reload }
}

/** What the viewer may manage of the room; null for nothing. */
export function managementRoleIn({ room }: RoomDetails): ManagementRole | null {
  const isOwner = room.ownerId !== null && session.isSelf(room.ownerId)
  if (isOwner || session.isRootAdmin()) return 'owner'
  return room.Admins.some(({ id }) => session.isSelf(id)) ? 'admin' : null
}
