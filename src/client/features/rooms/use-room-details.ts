import { useCallback, useEffect, useRef, useState } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { fetchRoom, type RoomDetails } from '../../model/rooms/fetch-room.ts'
import type { ManagementRole } from '../../model/rooms/room-management-section.ts'

/** The room's details. They are loaded again when an event changes them; the present ones stay until then. */
export function useRoomDetails(roomId: RoomId): { details: RoomDetails | null; isFailed: boolean; reload: () => void } {
  const [details, setDetails] = useState<RoomDetails | null>(null)
  const [isFailed, setFailed] = useState(false)
  const lastLoad = useRef(0)
  const reload = useCallback(() => {
    const load = ++lastLoad.current
    setFailed(false)
    fetchRoom(roomId).then(
      (loaded) => load === lastLoad.current && setDetails(loaded),
      (error) => {
        console.warn('Loading failed.', error)
        if (load === lastLoad.current) setFailed(true)
      },
    )
  }, [roomId])
  useEffect(reload, [reload])
  useEffect(() => {
    const reloadIfHere = (changed: { roomId: RoomId }): void => {
      if (changed.roomId === roomId) reload()
    }
    const stops = [
      live.on('roomAdminAdded', reloadIfHere),
      live.on('roomAdminRemoved', reloadIfHere),
      live.on('roomSettingsUpdated', reloadIfHere),
      live.on('roomPreferencesUpdated', reloadIfHere),
      live.on('roomPasswordUpdated', reloadIfHere),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [roomId, reload])
  return { details, isFailed, reload }
}

/** What the viewer may manage of the room; null for nothing. */
export function managementRoleIn({ room }: RoomDetails): ManagementRole | null {
  const isOwner = room.ownerId !== null && session.isSelf(room.ownerId)
  if (isOwner || session.isRootAdmin()) return 'owner'
  return room.Admins.some(({ id }) => session.isSelf(id)) ? 'admin' : null
}
