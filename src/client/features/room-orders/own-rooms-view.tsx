import { type ReactNode, useId, useState } from 'react'
import type { OwnRoom } from '../../../shared/room-orders/own-room.ts'
import { EXPIRED_LABEL, type OwnRoomTab, ownRoomTabs } from '../../../shared/room-orders/texts.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { countText } from '../../core/ui/format/turkish-number.ts'
import { InfoIcon } from '../../core/ui/lazy-icons.tsx'
import { ListFailure, ListLoading } from '../../core/ui/lists/paged-list.tsx'
import { Tabs, tabPanelProps } from '../../core/ui/tabs.tsx'
import { DaysLeftButton } from './days-left-button.tsx'
import { type ShownRooms, useOwnRooms } from './state.ts'
import './own-rooms.lazy.css'

/** The viewer's rooms in three tabs (specification 2, point 2, "My rooms"). */
export function OwnRoomsView(): ReactNode {
  const lists = { created: useOwnRooms('created'), admin: useOwnRooms('admin'), inactive: useOwnRooms('inactive') }
  const [shown, show] = useState<OwnRoomTab>('created')
  const id = useId()
  return (
    <div className="own-rooms">
      <Tabs
        label="Oda listeleri"
        tabs={ownRoomTabs.map(({ tab, label }) => ({ tab, label: <TabLabel text={label} rooms={lists[tab].rooms} /> }))}
        shown={shown}
        onSelect={show}
        id={id}
      />
      <div {...tabPanelProps(id, shown)} className="panel-scroll">
        <Rooms key={shown} tab={shown} {...lists[shown]} />
      </div>
    </div>
  )
}

/** The tab's name with the number of rooms, once they have loaded. */
function TabLabel({ text, rooms }: { text: string; rooms: readonly OwnRoom[] | null }): ReactNode {
  return (
    <>
      {text}
      {rooms && <span>{countText(rooms.length)}</span>}
    </>
  )
}

function Rooms({ tab, rooms, hasFailed, reload }: ShownRooms & { tab: OwnRoomTab }): ReactNode {
  if (!rooms) return hasFailed ? <ListFailure reason="Odaların alınamadı." reload={reload} /> : <ListLoading />
  if (rooms.length === 0) return <p className="list-note">{ownRoomTabs.find((each) => each.tab === tab)?.empty}</p>
  return (
    <ul className="stack">
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
      <a href={`/room/${id}`}>
        <bdi>#{name}</bdi>
        <span>
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
      <p>
        <bdi>#{room.name}</bdi>
        <span>{EXPIRED_LABEL}</span>
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
