import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { formatDateTime } from '../../../shared/moderation/rules.ts'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import type { Mute } from '../../../shared/sanctions/protocol.ts'
import { LIFT_MUTE_LABEL, NO_MUTES_TEXT } from '../../../shared/sanctions/texts.ts'
import { live } from '../../core/live/state.ts'
import { PagedList } from '../../core/ui/lists/paged-list.tsx'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import { muteList, openMuteList, requestMuteLift } from './mutes.ts'
import '../../model/moderation/moderation.css'

/** 'Susturmalar' of 'Moderasyon': the mutes of the site and of all rooms. */
export function SiteMutesSection(): ReactNode {
  return (
    <div className="bans">
      <MuteList roomId={null} />
    </div>
  )
}

/** 'Susturmalar' of 'Oda Yönetimi'. */
export function RoomMutesSection({ roomId }: RoomManagementSectionProps): ReactNode {
  return (
    <div className="section">
      <MuteList roomId={roomId} />
    </div>
  )
}

function MuteList({ roomId }: { roomId: RoomId | null }): ReactNode {
  useLayoutEffect(() => openMuteList(roomId), [roomId])
  return (
    <PagedList
      list={muteList}
      empty={NO_MUTES_TEXT}
      row={(mute) => <MuteRow key={mute.id} mute={mute} showsPlace={roomId === null} />}
    />
  )
}

/** A mute with its place, reason, end and author, and a button that lifts it. It disappears at its end. */
function MuteRow({ mute, showsPlace }: { mute: Mute; showsPlace: boolean }): ReactNode {
  const { username, roomId, roomName, reason, endsAt, at, mutedBy } = mute
  const [isBusy, setBusy] = useState(false)
  const isOver = useIsOver(endsAt)
  if (isOver) return null
  const lift = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (!(await requestMuteLift(mute))) setBusy(false)
  }
  return (
    <li className="row gap-3 py-3">
      <div className="stack gap-0 grow break">
        <button type="button" className="ban-row-name" data-person={username} aria-haspopup="dialog">
          <bdi>{username}</bdi>
        </button>
        <span className="soft small">
          {showsPlace && (roomId === null ? 'Tüm site · ' : `#${roomName} · `)}
          {reason} · {endsAt === null ? 'süresiz' : `${formatDateTime(endsAt)} tarihine kadar`}
        </span>
        <span className="faint small tabular">
          {formatDateTime(at)} · <bdi>{mutedBy}</bdi>
        </span>
      </div>
      <button
        type="button"
        className="button button--compact"
        aria-label={`${LIFT_MUTE_LABEL}: ${username}`}
        aria-disabled={isBusy}
        onClick={lift}
      >
        Kaldır
      </button>
    </li>
  )
}

/** Whether a time of the server is over, also when it passes while this is shown. */
function useIsOver(endsAt: number | null): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (endsAt === null) return
    const timer = setTimeout(() => setOver(true), Math.max(0, endsAt - live.serverNow()))
    return () => clearTimeout(timer)
  }, [endsAt])
  return isOver
}
