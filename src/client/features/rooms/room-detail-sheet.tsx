import { type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { NO_ADMINS_TEXT } from '../../../shared/room-management/texts.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import { closeOverlays, type OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { Sheet } from '../../core/ui/dialogs/sheet.tsx'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { ArrowIcon, PeopleIcon } from '../../core/ui/lazy-icons.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import type { RoomDetails } from '../../model/rooms/fetch-room.ts'
import { roomCounts } from '../../model/rooms/room-users-state.ts'
import { useRoomDetails } from './use-room-details.ts'
import './room-detail-sheet.css'

interface RoomDetailProps extends OverlayProps {
  roomId: RoomId
  name: string
}

const NO_COUNTS: Readonly<Record<number, number>> = {}

/** One room: its access rule, user count, link and staff. */
export function RoomDetailSheet({ roomId, name, onClose }: RoomDetailProps): ReactNode {
  const titleId = useId()
  const counts = useSignalValue(roomCounts, NO_COUNTS)
  const current = useSignalValue(shownRoom, null)
  const access = useAccessText(roomId)
  const [showsStaff, setShowsStaff] = useState(false)
  const foldStaff = useCallback(() => setShowsStaff(false), [])
  return (
    <Sheet title={<bdi>#{name}</bdi>} titleId={titleId} side="opener" onClose={onClose}>
      <div className="panel-scroll room-detail">
        <p className="soft large tabular">
          <strong>{countText(counts[roomId] ?? 0)}</strong> online
        </p>
        <p className="good">{access}</p>
        <a
          className="button button--accent button--large"
          href={`/room/${roomId}`}
          // In the present room the button only closes the overlays.
          onClick={(event) => {
            if (current?.id !== roomId) return
            event.preventDefault()
            closeOverlays()
          }}
        >
          ODAYA GEÇ <ArrowIcon />
        </a>
        <button
          type="button"
          className="button button--large"
          aria-expanded={showsStaff}
          onClick={() => setShowsStaff(!showsStaff)}
        >
          <PeopleIcon /> KADRO
        </button>
        {showsStaff && <Staff roomId={roomId} onFailed={foldStaff} />}
      </div>
    </Sheet>
  )
}

/** Who may enter, once it is known: its place is kept until then. */
function useAccessText(roomId: RoomId): string {
  const { details } = useRoomDetails(roomId)
  if (!details) return '\u00a0'
  return details.room.hasPassword ? 'Şifreyi bilenler girebilir' : 'Herkes girebilir'
}

/** Fetched on the first click, and again when the admins change. A failure is only logged, and the button stays closed. */
function Staff({ roomId, onFailed }: { roomId: RoomId; onFailed: () => void }): ReactNode {
  const titleId = useId()
  const { details, isFailed } = useRoomDetails(roomId)
  const isLost = isFailed && details === null
  useEffect(() => {
    if (isLost) onFailed()
  }, [isLost, onFailed])
  return (
    <section aria-labelledby={titleId} aria-busy={details === null}>
      <h3 id={titleId}>Oda Kadrosu</h3>
      {details === null ? <p className="soft py-3">Yükleniyor...</p> : <Admins admins={details.room.Admins} />}
    </section>
  )
}

type Admin = RoomDetails['room']['Admins'][number]

function Admins({ admins }: { admins: Admin[] }): ReactNode {
  if (admins.length === 0) return <p className="soft py-3">{NO_ADMINS_TEXT}</p>
  return (
    <ul>
      {admins.map((admin) => (
        <li key={admin.id}>
          <button type="button" className="row-button wide" data-person={admin.username} aria-haspopup="dialog">
            <Avatar user={{ ...admin, isGuest: admin.role === 'guest' }} size={48} />
            <span className="stack gap-0 grow">
              <bdi className="truncate semibold">{admin.username}</bdi>
              <span className="faint small">
                {[genderWord(admin.gender), roleWord(admin.role)].filter(Boolean).join(' · ')}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function genderWord(gender: Admin['gender']): string | null {
  return gender === 'female' ? 'Kadın' : gender === 'male' ? 'Erkek' : null
}

function roleWord(role: Admin['role']): string {
  return role === 'rootadmin' ? 'Root Admin' : 'Admin'
}
