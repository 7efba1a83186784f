import { type ReactNode, useMemo } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import type { RoomVisitor } from '../../../shared/room-management/protocol.ts'
import { VISITORS_NOT_LOADED } from '../../../shared/room-management/texts.ts'
import { callApi } from '../../core/http/call-api.ts'
import { pageQuery } from '../../core/http/page-query.ts'
import { LiveList } from '../../core/signals/live-list.ts'
import { clockTime, dayName } from '../../core/ui/format/turkish-time.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import './admins-section.css'

/** Who entered the room in the last days, the latest first. */
export function VisitorsSection({ roomId }: RoomManagementSectionProps): ReactNode {
  const visitors = useMemo(() => createVisitorList(roomId), [roomId])
  return (
    <div className="section">
      <p className="soft">Son yedi günde odaya girenler. Bu listeyi yalnızca odayı yönetenler görür.</p>
      <PagedList
        list={visitors}
        empty="Henüz odaya uğrayan olmadı."
        row={(visitor) => <VisitorRow key={visitor.id} visitor={visitor} />}
      />
    </div>
  )
}

function createVisitorList(roomId: RoomId): LiveList<RoomVisitor, string> {
  return new LiveList<RoomVisitor, string>({
    failureText: () => VISITORS_NOT_LOADED,
    fetchPage: async (before) => {
      const answer = await callApi<'roomVisitors'>(`/rooms/${roomId}/visitors${pageQuery(before)}`, { as: 'user' })
      return isFailure(answer) ? answer : { items: answer.visitors, next: answer.next }
    },
  })
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
