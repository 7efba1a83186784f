import { useEffect } from 'react'
import type { RouteAnswer } from '../../shared/protocol/catalogue.ts'
import { session } from '../accounts/session.ts'
import { callApi } from '../http/call-api.ts'
import { isFailure } from '../http/is-failure.ts'
import { live } from '../live/state.ts'
import { useSignalValue } from '../use-signal-value.ts'
import { type OwnRoomLists, OwnRooms } from './own-rooms.ts'

/** The viewer's rooms. */
export const ownRooms = new OwnRooms(live, fetchOwnRooms)

const NO_LISTS: OwnRoomLists | null = null

/** The viewer's rooms while the component is shown; `lists` is null until they have loaded. */
export function useOwnRooms(): { lists: OwnRoomLists | null; hasFailed: boolean } {
  const lists = useSignalValue(ownRooms.lists, NO_LISTS)
  const hasFailed = useSignalValue(ownRooms.hasFailed, false)
  useEffect(() => ownRooms.watch(), [])
  return { lists, hasFailed }
}

type ListRoute = 'roomsCreatedBy' | 'adminRooms' | 'inactiveRooms'

async function fetchOwnRooms(): Promise<OwnRoomLists | null> {
  const userId = session.userId()
  const fetchList = <N extends ListRoute>(path: string) => callApi<N>(`/rooms/${path}/${userId}`, { as: 'user' })
  const [created, admin, inactive] = await Promise.all([
    fetchList<'roomsCreatedBy'>('created-by'),
    fetchList<'adminRooms'>('admin-rooms'),
    fetchList<'inactiveRooms'>('inactive'),
  ])
  if (isFailure(created) || isFailure(admin) || isFailure(inactive)) return null
  return { created: created.rooms, admin: admin.rooms, inactive: inactive.rooms } satisfies Record<
    string,
    RouteAnswer<ListRoute>['rooms']
  >
}
