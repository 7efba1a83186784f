import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import { fits, type PeopleFilter } from '../../shared/presence/rules.ts'
import { loadPeopleThrough } from '../rooms/state.ts'
import { useSignal } from '../use-signal.ts'
import type { Found } from './found-people.ts'
import { PeopleFilterBar } from './people-filter.tsx'
import { PeopleResult } from './people-result.tsx'
import type { PeopleView } from './people-rows.tsx'
import { roomSearch } from './room-search.ts'

interface RoomPeopleProps {
  users: readonly Person[]
  total: number
  viewer: Person
}

const nothing: Found = { users: [], total: 0, state: 'looking' }
const loadFound = (count: number): Promise<boolean> => roomSearch.loadThrough(count)
const allAreThere = async (): Promise<boolean> => true
const lookAgain = (): void => roomSearch.lookAgain()

/** The people of the room, to be searched and filtered. */
export function RoomPeople({ users, total, viewer }: RoomPeopleProps): ReactNode {
  const [filter, setFilter] = useState<PeopleFilter>({})
  const isSearch = Boolean(filter.search?.trim()) || filter.gender !== undefined
  const view = useRoomView(users, total, filter, isSearch)
  return (
    <>
      <PeopleFilterBar label="Odadaki kullanıcılarda ara..." viewer={viewer} filter={filter} onChange={setFilter} />
      <PeopleResult view={view} viewerId={viewer.id} isSearch={isSearch} retry={lookAgain} />
    </>
  )
}

/** Whoever is loaded is searched here; where more are in the room, the server searches. */
function useRoomView(
  users: readonly Person[],
  total: number,
  filter: PeopleFilter,
  isSearch: boolean,
): PeopleView & Pick<Found, 'state'> {
  const isWhole = users.length >= total
  const asksServer = isSearch && !isWhole
  const found = useSignal(roomSearch.list, nothing)
  useEffect(() => {
    if (!asksServer) return
    roomSearch.look(filter)
    return () => roomSearch.stop()
  }, [asksServer, filter])
  return useMemo(() => {
    if (asksServer) return { ...found, loadThrough: loadFound }
    if (!isSearch) return { users, total, state: 'shown', loadThrough: loadPeopleThrough }
    const fitting = users.filter(fits(filter))
    return { users: fitting, total: fitting.length, state: 'shown', loadThrough: allAreThere }
  }, [asksServer, isSearch, found, users, total, filter])
}
