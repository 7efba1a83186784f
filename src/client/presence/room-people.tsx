import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import { matchesFilter, type PeopleFilter } from '../../shared/presence/rules.ts'
import { loadPeople } from '../rooms/people-state.ts'
import { useSignal } from '../use-signal.ts'
import { NOBODY, type PeopleList } from './paged-people.ts'
import { PeopleFilterBar } from './people-filter.tsx'
import { PeopleResult } from './people-result.tsx'
import type { PeopleView } from './people-rows.tsx'
import { roomSearch } from './room-search.ts'

interface RoomPeopleProps {
  people: PeopleList
  viewer: Person
}

const loadFound = (first: number, last: number): Promise<boolean> => roomSearch.loadRows(first, last)
const allAreThere = async (): Promise<boolean> => true
const lookAgain = (): void => roomSearch.lookAgain()

/** The people of the room, to be searched and filtered. */
export function RoomPeople({ people, viewer }: RoomPeopleProps): ReactNode {
  const [filter, setFilter] = useState<PeopleFilter>({})
  const isSearch = Boolean(filter.search?.trim()) || filter.gender !== undefined
  const view = useRoomView(people, filter, isSearch)
  return (
    <>
      <PeopleFilterBar label="Odadaki kullanıcılarda ara..." viewer={viewer} filter={filter} onChange={setFilter} />
      <PeopleResult
        key={`${filter.gender} ${filter.search}`}
        view={view}
        viewerId={viewer.id}
        isSearch={isSearch}
        retry={lookAgain}
      />
    </>
  )
}

/** Whoever is loaded is searched here; where more are in the room, the server searches. */
function useRoomView(people: PeopleList, filter: PeopleFilter, isSearch: boolean): PeopleView {
  const asksServer = isSearch && !people.isWhole
  const found = useSignal(roomSearch.list, NOBODY)
  useEffect(() => {
    if (!asksServer) return
    roomSearch.look(filter)
    return () => roomSearch.stop()
  }, [asksServer, filter])
  return useMemo(() => {
    if (asksServer) return { ...found, loadRows: loadFound }
    if (!isSearch) return { ...people, loadRows: loadPeople }
    const users = people.users.filter(matchesFilter(filter))
    return { ...people, users, total: users.length, loadRows: allAreThere }
  }, [asksServer, isSearch, found, people, filter])
}
