import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { compareNames } from '../../../shared/presence/name-order.ts'
import { matchesFilter, type PeopleFilter } from '../../../shared/presence/rules.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { live } from '../../core/live/state.ts'
import { EMPTY_PEOPLE_LIST, type PeopleList } from '../../core/presence/paged-people.ts'
import { UserSearch, type UserSearchSource } from '../../core/presence/user-search.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import type { PagePanelProps } from '../../core/shell/panels/panel-state.ts'
import { SidePanel } from '../../core/shell/panels/side-panel.tsx'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { fetchRoomUsers } from '../../model/rooms/room-users.ts'
import { loadRoomUsers, roomUsers } from '../../model/rooms/room-users-state.ts'
import { PeopleFilterBar } from './people-filter.tsx'
import { PeopleResult } from './people-result.tsx'
import type { PeopleView } from './people-rows.tsx'

interface RoomPeopleProps {
  people: PeopleList
  viewer: Person
}

/** Searches the people of this tab's room on the server. */
const roomPeopleSource: UserSearchSource = {
  fetchPage: async (filter, after) =>
    live.roomId === null ? null : await fetchRoomUsers(live, { roomId: live.roomId, after, ...filter }),
  compareNames,
}

/** The search in the people of a large room. */
const roomPeopleSearch = new UserSearch(roomPeopleSource)

const isShownRoom = (roomId: RoomId): boolean => roomId === live.roomId
live.on('user-joined', ({ roomId, user }) => isShownRoom(roomId) && roomPeopleSearch.addUser(user))
live.on('user-left', ({ roomId, username }) => isShownRoom(roomId) && roomPeopleSearch.removeUser(username))
live.on('userStatusChanged', ({ username, isOnline }) => roomPeopleSearch.setOnlineStatus(username, isOnline))
live.on('userUpdated', ({ user }) => roomPeopleSearch.updateUser(user))
// Sent instead of single changes when there are too many, and after a lost connection.
live.on('users-in-room', ({ roomId }) => isShownRoom(roomId) && roomPeopleSearch.refresh())

const loadSearchRows = (first: number, last: number): Promise<boolean> => roomPeopleSearch.loadRows(first, last)

const loadNothing = async (): Promise<boolean> => true

const refreshSearch = (): void => roomPeopleSearch.refresh()

/** The people of the room: those of the rendered page until the room's state has loaded. */
export function RoomPeoplePanel({ roomId, users, total, viewer, isWide, isOpen }: PagePanelProps): ReactNode {
  const room = useSignalValue(shownRoom, null)
  const known = useSignalValue(roomUsers, roomUsers.peek())
  const people = room === null ? { users, total, isComplete: users.length >= total, state: 'loaded' as const } : known
  const title = (
    <>
      Odadakiler <span className="panel-count">{countText(people.total)}</span>
    </>
  )
  return (
    <SidePanel title={title} titleId="people-title" isWide={isWide} isOpen={isOpen}>
      {/* A search belongs to the room in which it was made. */}
      <RoomPeople key={room?.id ?? roomId} people={people} viewer={viewer} />
    </SidePanel>
  )
}

/** The people of the room with search and filter. */
function RoomPeople({ people, viewer }: RoomPeopleProps): ReactNode {
  const [filter, setFilter] = useState<PeopleFilter>({})
  const isSearch = Boolean(filter.search?.trim()) || filter.gender !== undefined
  const view = usePeopleView(people, filter, isSearch)
  return (
    <>
      <PeopleFilterBar label="Odadaki kullanıcılarda ara..." viewer={viewer} filter={filter} onChange={setFilter} />
      <PeopleResult
        key={`${filter.gender} ${filter.search}`}
        view={view}
        viewerId={viewer.id}
        isSearch={isSearch}
        retry={refreshSearch}
      />
    </>
  )
}

/** Filters a complete list here; for an incomplete one the server searches. */
function usePeopleView(people: PeopleList, filter: PeopleFilter, isSearch: boolean): PeopleView {
  const asksServer = isSearch && !people.isComplete
  const found = useSignalValue(roomPeopleSearch.list, EMPTY_PEOPLE_LIST)
  useEffect(() => {
    if (!asksServer) return
    roomPeopleSearch.search(filter)
    return () => roomPeopleSearch.stop()
  }, [asksServer, filter])
  return useMemo(() => {
    if (asksServer) return { ...found, loadRows: loadSearchRows }
    if (!isSearch) return { ...people, loadRows: loadRoomUsers }
    const users = people.users.filter(matchesFilter(filter))
    return { ...people, users, total: users.length, loadRows: loadNothing }
  }, [asksServer, isSearch, found, people, filter])
}
