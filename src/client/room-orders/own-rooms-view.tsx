import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { OwnRoom } from '../../shared/room-orders/own-room.ts'
import { EXPIRED_LABEL, type OwnRoomTab, ownRoomTabs } from '../../shared/room-orders/texts.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { countText } from '../ui/format/turkish-number.ts'
import { InfoIcon } from '../ui/lazy-icons.tsx'
import { ListFailure, ListLoading } from '../ui/lists/paged-list.tsx'
import { DaysLeftButton } from './days-left-button.tsx'
import { type ShownRooms, useOwnRooms } from './state.ts'
import './own-rooms.later.css'

/** The viewer's rooms in three tabs (specification 2, point 2, "My rooms"). */
export function OwnRoomsView(): ReactNode {
  const lists = { created: useOwnRooms('created'), admin: useOwnRooms('admin'), inactive: useOwnRooms('inactive') }
  const [shown, show] = useState<OwnRoomTab>('created')
  const id = useId()
  return (
    <div className="own-rooms">
      <Tabs id={id} shown={shown} lists={lists} onSelect={show} />
      <div
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${shown}`}
        className="panel-scroll own-rooms-list"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled part must be reachable by keyboard
        tabIndex={0}
      >
        <Rooms key={shown} tab={shown} {...lists[shown]} />
      </div>
    </div>
  )
}

interface TabsProps {
  id: string
  shown: OwnRoomTab
  lists: Record<OwnRoomTab, ShownRooms>
  onSelect: (tab: OwnRoomTab) => void
}

/** Tabs after the ARIA pattern: the arrows, Home and End move. */
function Tabs({ id, shown, lists, onSelect }: TabsProps): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = ownRoomTabs.findIndex(({ tab }) => tab === shown)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
    const next = to === undefined ? undefined : ownRoomTabs.at(to % ownRoomTabs.length)
    if (!next) return
    event.preventDefault()
    onSelect(next.tab)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.tab}"]`)?.focus()
  }
  return (
    <div ref={list} className="own-rooms-tabs" role="tablist" aria-label="Oda listeleri" onKeyDown={onKeyDown}>
      {ownRoomTabs.map(({ tab, label }) => (
        <button
          key={tab}
          id={`${id}-${tab}`}
          data-tab={tab}
          type="button"
          role="tab"
          className="own-rooms-tab"
          aria-selected={tab === shown}
          aria-controls={`${id}-panel`}
          tabIndex={tab === shown ? 0 : -1}
          onClick={() => onSelect(tab)}
        >
          {label}
          {lists[tab].rooms && <span className="own-rooms-count">{countText(lists[tab].rooms.length)}</span>}
        </button>
      ))}
    </div>
  )
}

function Rooms({ tab, rooms, hasFailed, reload }: ShownRooms & { tab: OwnRoomTab }): ReactNode {
  if (!rooms) return hasFailed ? <ListFailure reason="Odalarınız alınamadı." reload={reload} /> : <ListLoading />
  if (rooms.length === 0) return <p className="list-note">{ownRoomTabs.find((each) => each.tab === tab)?.empty}</p>
  return (
    <ul className="own-rooms-cards">
      {rooms.map((room) => (
        <li key={room.id} className="own-room" data-active={room.isActive}>
          {room.isActive ? <OpenRoom room={room} /> : <ClosedRoom room={room} />}
        </li>
      ))}
    </ul>
  )
}

function OpenRoom({ room }: { room: OwnRoom }): ReactNode {
  const { id, name, activeUsers, capacity, isList } = room
  return (
    <>
      <a className="own-room-name" href={`/room/${id}`}>
        <bdi>#{name}</bdi>
        <span className="own-room-facts">
          {countText(activeUsers)} / {countText(capacity)} kişi{isList ? '' : ' · Listede değil'}
        </span>
      </a>
      <DaysLeftButton room={room} />
    </>
  )
}

function ClosedRoom({ room }: { room: OwnRoom }): ReactNode {
  return (
    <>
      <p className="own-room-name">
        <bdi>#{room.name}</bdi>
        <span className="own-room-facts">{EXPIRED_LABEL}</span>
      </p>
      <button
        type="button"
        className="icon-button"
        aria-label={`#${room.name}: Bilgi`}
        title="Bilgi"
        aria-haspopup="dialog"
        onClick={() => openOverlay('unpaidRoom', { room })}
      >
        <InfoIcon size={20} />
      </button>
    </>
  )
}
