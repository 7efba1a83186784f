import { type ReactNode, useEffect, useState } from 'react'
import type { RoomPage } from '../../shared/rooms/page.ts'
import { session } from '../accounts/session.ts'
import { ThemeButton } from '../accounts/theme-button.island.tsx'
import { SearchButton } from '../room-chat/search-button.tsx'
import { isPanelOpen, panel, togglePanel } from '../shell/panel.ts'
import { Brand } from '../ui/brand.tsx'
import { LeaveIcon, PeopleIcon, RoomsIcon } from '../ui/icons.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { countText } from '../ui/turkish-number.ts'
import { useMedia, WIDE } from '../ui/use-media.ts'
import { useSignal } from '../use-signal.ts'
import { RoomList } from './room-list.tsx'
import { type ShownRoom, shownRoom } from './shown-room.ts'
import { people, roomCounts, siteCount } from './state.ts'

type RoomHeaderProps = Pick<RoomPage, 'rooms' | 'total' | 'onlineCount'> & { room: ShownRoom }

const none = {}

/** The bar above everything: where one is, how many are here, and the ways out. */
export function RoomHeader({ room, rooms, total, onlineCount }: RoomHeaderProps): ReactNode {
  const opened = useSignal(shownRoom, null)
  const current = opened ?? room
  const liveOnline = useSignal(siteCount, onlineCount)
  const livePeople = useSignal(people, { users: [], total })
  return (
    <header className="room-header">
      <span className="room-header-brand">
        <Brand size={32} />
      </span>
      <RoomsButton current={current} rooms={rooms} />
      <div className="room-header-place">
        <h1 className="room-header-name">
          <a href={`/room/${current.id}`}>#{current.name}</a>
        </h1>
        <p className="room-header-online">{countText(opened ? liveOnline : onlineCount)} kişi çevrimiçi</p>
      </div>
      <SearchButton />
      <PeopleButton total={opened ? livePeople.total : total} />
      <ThemeButton />
      <LogOutButton />
    </header>
  )
}

function RoomsButton({ current, rooms }: { current: ShownRoom; rooms: RoomPage['rooms'] }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const counts = useSignal(roomCounts, none)
  // biome-ignore lint/correctness/useExhaustiveDependencies: all sheets close when people move to another room
  useEffect(() => setOpen(false), [current.id])
  return (
    <>
      <button
        type="button"
        className="icon-button room-header-rooms"
        aria-label="Odalar"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <RoomsIcon />
      </button>
      {isOpen && (
        <Sheet title="Odalar" titleId="rooms-sheet-title" side="left" onClose={() => setOpen(false)}>
          <nav className="panel-scroll" aria-label="Odalar">
            <RoomList rooms={rooms} current={current} counts={counts} />
          </nav>
        </Sheet>
      )}
    </>
  )
}

function PeopleButton({ total }: { total: number }): ReactNode {
  const state = useSignal(panel, 'byWidth')
  const isWide = useMedia(WIDE, true)
  const isOpen = isPanelOpen('roomActiveUsers', state, isWide)
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Odadaki kullanıcılar, ${countText(total)} kişi`}
      title="Odadaki kullanıcılar"
      aria-expanded={isOpen}
      onClick={() => togglePanel('roomActiveUsers')}
    >
      <PeopleIcon />
      <span className="room-header-total">{countText(total)}</span>
    </button>
  )
}

function LogOutButton(): ReactNode {
  const [isLeaving, setLeaving] = useState(false)
  const leave = async (): Promise<void> => {
    setLeaving(true)
    // Whoever cannot be logged out stays; the connection overlay says what is wrong.
    if (!(await session.logOut())) setLeaving(false)
  }
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Çıkış yap"
      title="Çıkış yap"
      disabled={isLeaving}
      onClick={leave}
    >
      {isLeaving ? <span className="spinner" /> : <LeaveIcon />}
    </button>
  )
}
