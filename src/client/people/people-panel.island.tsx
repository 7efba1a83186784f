import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import { showLoadingWhile } from '../loading-indicator.ts'
import { openProfileOnClick } from '../profiles/open-profile.ts'
import { loadOwnAccount } from '../profiles/own-account.ts'
import { useOwnProfile } from '../profiles/use-own-profile.ts'
import { roomUsers } from '../rooms/room-users-state.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import { closePanel, isPanelOpen, panelState } from '../shell/panels/panel-state.ts'
import { SidePanel } from '../shell/panels/side-panel.tsx'
import { toast, toastLoadFailure } from '../shell/toasts/toast.ts'
import { countText } from '../ui/format/turkish-number.ts'
import { useMediaQuery, WIDE_SCREEN_QUERY } from '../ui/use-media-query.ts'
import { useSignal } from '../use-signal.ts'
import { RoomPeople } from './room-people.tsx'

type PeoplePanelProps = Pick<RoomPageProps, 'users' | 'total' | 'viewer'> & { roomId: number }

/** Who is in the room, everyone on the site, or oneself: beside the thread on a wide screen, a sheet on a narrow one. */
export function PeoplePanel({ roomId, users, total, viewer: rendered }: PeoplePanelProps): ReactNode {
  const viewer = useOwnProfile(rendered)
  const state = useSignal(panelState, 'byWidth')
  const isWide = useMediaQuery(WIDE_SCREEN_QUERY, true)
  const room = useSignal(shownRoom, null)
  const known = useSignal(roomUsers, roomUsers.peek())
  const shown = room === null ? { users, total, isComplete: users.length >= total, state: 'loaded' as const } : known
  useEffect(() => openProfileOnClick(document), [])

  if (state === 'allUsers' || state === 'profile') {
    return <LazyPanel key={state} name={state} viewer={viewer} isWide={isWide} />
  }
  const isOpen = isPanelOpen('roomActiveUsers', state, isWide)
  const title = (
    <>
      Odadakiler <span className="panel-count">{countText(shown.total)}</span>
    </>
  )
  return (
    <SidePanel title={title} titleId="people-title" isWide={isWide} isOpen={isOpen}>
      {/* What one looked for was looked for in that room. */}
      <RoomPeople key={room?.id ?? roomId} people={shown} viewer={viewer} />
    </SidePanel>
  )
}

interface LazyPanelProps {
  name: keyof typeof lazyPanels
  viewer: Person
  isWide: boolean
}

/** Loaded when it is opened first. */
const lazyPanels = {
  allUsers: {
    title: 'Tüm Kullanıcılar',
    load: async () => (await import('./all-users-list.tsx')).AllUsersList,
    onLoadError: () => toast('Kullanıcılar alınırken bir hata oluştu.', 'error'),
  },
  profile: {
    title: 'Profilim',
    load: async () => {
      void loadOwnAccount() // beside the code, so that both are there at once
      return (await import('../profiles/own-profile-panel.tsx')).OwnProfilePanel
    },
    onLoadError: toastLoadFailure,
  },
}

function LazyPanel({ name, viewer, isWide }: LazyPanelProps): ReactNode {
  const { title, load, onLoadError } = lazyPanels[name]
  const [Part, setPart] = useState<ComponentType<{ viewer: Person }> | null>(null)
  useEffect(() => {
    showLoadingWhile(load()).then(
      (part) => setPart(() => part),
      (error) => {
        closePanel()
        onLoadError(error)
      },
    )
  }, [load, onLoadError])
  return (
    <SidePanel title={title} titleId={`${name}-title`} isWide={isWide} isOpen={true}>
      {Part && <Part viewer={viewer} />}
    </SidePanel>
  )
}
