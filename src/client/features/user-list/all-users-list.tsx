import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import type { PeopleFilter } from '../../../shared/presence/rules.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { allUsers } from './all-users.ts'
import { PeopleFilterBar } from './people-filter.tsx'
import { PeopleResult } from './people-result.tsx'

const loadRows = (first: number, last: number): Promise<boolean> => allUsers.loadRows(first, last)
const refresh = (): void => allUsers.refresh()

/** The list of all users for root admins; others see a note. */
export function AllUsersList({ viewer }: { viewer: Person }): ReactNode {
  if (viewer.role === 'rootadmin') return <SearchableUserList viewer={viewer} />
  return <p className="empty">Sistemdeki tüm kullanıcıları sadece yetkililer görebilir.</p>
}

function SearchableUserList({ viewer }: { viewer: Person }): ReactNode {
  const [filter, setFilter] = useState<PeopleFilter>({})
  const found = useSignalValue(allUsers.list, allUsers.list.peek())
  useEffect(() => {
    allUsers.search(filter)
    return () => allUsers.stop()
  }, [filter])
  const view = useMemo(() => ({ ...found, loadRows }), [found])
  const isSearch = Boolean(filter.search?.trim()) || filter.gender !== undefined
  return (
    <>
      <PeopleFilterBar label="Kullanıcılarda ara..." viewer={viewer} filter={filter} onChange={setFilter} />
      <PeopleResult view={view} viewerId={viewer.id} isSearch={isSearch} retry={refresh} />
    </>
  )
}
