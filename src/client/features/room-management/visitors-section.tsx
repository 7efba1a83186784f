import { type ReactNode, useState } from 'react'
import type { RoomVisitor } from '../../../shared/room-management/protocol.ts'
import { VISITORS_NOT_LOADED } from '../../../shared/room-management/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { isFailure } from '../../core/http/is-failure.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { clockTime, dayName } from '../../core/ui/format/turkish-time.ts'
import { mergePage, type PagedItems } from '../../core/ui/lists/paged-items.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import './admins-section.css'

/** Who entered the room in the last days, the latest first. */
export function VisitorsSection({ roomId }: RoomManagementSectionProps): ReactNode {
  const [list, setList] = useState<PagedItems<RoomVisitor, string> | null>(null)
  const load = async (from: string | null): Promise<string | null> => {
    const path = `/rooms/${roomId}/visitors${pageQuery(from)}`
    const answer = await callApi<'roomVisitors'>(path, { as: 'user' })
    if (isFailure(answer)) return VISITORS_NOT_LOADED
    setList((known) => mergePage(known, from, { items: answer.visitors, next: answer.next }))
    return null
  }
  return (
    <div className="section">
      <p className="soft">Son yedi günde odaya girenler. Bu listeyi yalnızca odayı yönetenler görür.</p>
      <PagedList
        list={list}
        load={load}
        empty="Henüz odaya uğrayan olmadı."
        row={(visitor) => <VisitorRow key={visitor.id} visitor={visitor} />}
      />
    </div>
  )
}

function VisitorRow({ visitor }: { visitor: RoomVisitor }): ReactNode {
  const { username, visitedAt } = visitor
  return (
    <li className="room-admin-row">
      <button type="button" className="row-button grow semibold" data-person={username} aria-haspopup="dialog">
        <Avatar user={visitor} size={40} />
        <bdi className="truncate">{username}</bdi>
      </button>
      <time className="fixed faint small tabular" dateTime={new Date(visitedAt).toISOString()}>
        {dayName(visitedAt, Date.now())} {clockTime(visitedAt)}
      </time>
    </li>
  )
}
