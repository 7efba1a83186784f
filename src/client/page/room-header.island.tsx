import { type ReactNode, useEffect } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import { roomUsersLabel } from '../../shared/presence/rules.ts'
import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import { type ShownRoom, shownRoom } from '../core/session/shown-room.ts'
import { openOverlay } from '../core/shell/overlays/overlays.ts'
import { isPanelOpen, panelState, togglePanel } from '../core/shell/panels/panel-state.ts'
import { useSignalValue } from '../core/signals/use-signal-value.ts'
import { Brand } from '../core/ui/brand/brand.tsx'
import { countText } from '../core/ui/format/turkish-number.ts'
import { PeopleIcon, RoomsIcon } from '../core/ui/lazy-icons.tsx'
import { Avatar } from '../core/ui/person/avatar.tsx'
import { useMediaQuery, WIDE_SCREEN_QUERY } from '../core/ui/use-media-query.ts'
import { ConversationsButton } from '../features/direct-messages/list/conversations-button.tsx'
import { NotificationsButton } from '../features/notifications/notifications-button.tsx'
import { SearchButton } from '../features/room-chat/search/search-button.tsx'
import { AllUsersButton } from '../features/user-list/all-users-button.tsx'
import { useOwnProfile } from '../model/profiles/use-own-profile.ts'
import { openRoomOrder } from '../model/room-orders/open-room-order.ts'
import { roomUsers, siteOnlineCount } from '../model/rooms/room-users-state.ts'
import { isJoinRefused } from '../model/rooms/state.ts'

import { startFeatures } from './features.ts'

type RoomHeaderProps = Pick<RoomPageProps, 'total' | 'onlineCount' | 'viewer'> & { room: ShownRoom }

/** The header: the room's name, how many are in it and on the site, and buttons for panels and sheets. */
export function RoomHeader({ room, total, onlineCount, viewer }: RoomHeaderProps): ReactNode {
  const opened = useSignalValue(shownRoom, null)
  const liveOnline = useSignalValue(siteOnlineCount, onlineCount)
  const livePeople = useSignalValue(roomUsers, roomUsers.peek())
  const roomTotal = opened ? livePeople.total : total
  useEffect(startFeatures, [])
  return (
    <header className="room-header">
      <span>
        <Brand size={32} />
      </span>
      <div className="room-header-place">
        <RoomName room={opened ?? room} />
        <div className="room-header-counts">
          <span className="fixed semibold">
            {countText(roomTotal)}
            <span> kişi</span> burada
          </span>
          <button type="button" aria-haspopup="dialog" onClick={() => openOverlay('siteStatus', {})}>
            {countText(opened ? liveOnline : onlineCount)}
            <span> kişi</span> çevrimiçi
          </button>
        </div>
      </div>
      <button
        type="button"
        className="icon-button room-header-wide"
        aria-haspopup="dialog"
        onClick={() => void openRoomOrder()}
      >
        Yeni Oda Aç
      </button>
      <button
        type="button"
        className="icon-button room-header-wide"
        aria-haspopup="dialog"
        onClick={() => openOverlay('allRooms', {})}
      >
        <RoomsIcon />
        Tüm Odalar
      </button>
      <SearchButton />
      <PeopleButton total={roomTotal} />
      <AllUsersButton viewer={viewer} />
      <ConversationsButton />
      <NotificationsButton />
      <ProfileButton viewer={viewer} />
    </header>
  )
}

/** The room's name, or '#Oda Yok' after a refused join. */
function RoomName({ room }: { room: ShownRoom }): ReactNode {
  const hasNone = useSignalValue(isJoinRefused, false)
  return (
    <h1>
      {hasNone ? (
        '#Oda Yok'
      ) : (
        <a href={`/room/${room.id}`}>
          <bdi>#{room.name}</bdi>
        </a>
      )}
    </h1>
  )
}

function PeopleButton({ total }: { total: number }): ReactNode {
  const state = useSignalValue(panelState, 'byWidth')
  const isWide = useMediaQuery(WIDE_SCREEN_QUERY, true)
  return (
    <button
      type="button"
      className="icon-button room-header-wide"
      aria-label={roomUsersLabel(countText(total))}
      title="Odadaki kullanıcılar"
      aria-expanded={isPanelOpen('roomActiveUsers', state, isWide)}
      onClick={() => togglePanel('roomActiveUsers')}
    >
      <PeopleIcon />
      <span className="small tabular">{countText(total)}</span>
    </button>
  )
}

/** The viewer's avatar, which toggles the profile panel. */
function ProfileButton({ viewer }: { viewer: Person }): ReactNode {
  const state = useSignalValue(panelState, 'byWidth')
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Profilim"
      title="Profilim"
      aria-expanded={isPanelOpen('profile', state, true)}
      onClick={() => togglePanel('profile')}
    >
      <Avatar user={useOwnProfile(viewer)} size={32} />
    </button>
  )
}
