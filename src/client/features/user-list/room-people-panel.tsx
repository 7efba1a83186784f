import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { matchesFilter, type PeopleFilter } from '../../../shared/presence/rules.ts'
import { EMPTY_PEOPLE_LIST, type PeopleList } from '../../core/presence/paged-people.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import type { PagePanelProps } from '../../core/shell/panels/panel-state.ts'
import { SidePanel } from '../../core/shell/panels/side-panel.tsx'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { loadRoomUsers, roomUsers } from '../../model/rooms/room-users-state.ts'
import { PeopleFilterBar } from './people-filter.tsx'
import { PeopleResult } from './people-result.tsx'
import type { PeopleView } from './people-rows.tsx'
import { roomPeopleSearch } from './room-people-search.ts'

interface RoomPeopleProps {
  people: PeopleList
  viewer: Person
}

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
