import { useEffect } from 'react'
import type { OwnRoom } from '../../../shared/room-orders/own-room.ts'
import type { OwnRoomTab } from '../../../shared/room-orders/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { live } from '../../core/live/state.ts'
import { session } from '../../core/session/session.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { OwnRooms } from './own-rooms.ts'

/** The viewer's rooms, by tab. */
const lists: Record<OwnRoomTab, OwnRooms> = {
  created: createList<'roomsCreatedBy'>('created-by'),
  admin: createList<'adminRooms'>('admin-rooms'),
  inactive: createList<'inactiveRooms'>('inactive'),
}

function createList<N extends 'roomsCreatedBy' | 'adminRooms' | 'inactiveRooms'>(path: string): OwnRooms {
  return new OwnRooms(live, async () => {
    const answer = await callApi<N>(`/rooms/${path}/${session.userId()}`, { as: 'user' })
    return isFailure(answer) ? null : answer.rooms
  })
}

export interface ShownRooms {
  /** null before they have loaded. */
  rooms: readonly OwnRoom[] | null
  hasFailed: boolean
  reload: () => void
}

/** A list of the viewer's rooms while the component is shown. Guests have none. */
export function useOwnRooms(tab: OwnRoomTab): ShownRooms {
  const list = lists[tab]
  const rooms = useSignalValue(list.rooms, null)
  const hasFailed = useSignalValue(list.hasFailed, false)
  useEffect(() => (session.isGuest() ? undefined : list.watch()), [list])
  return { rooms, hasFailed, reload: () => void list.load() }
}
