import { type ReactNode, useEffect, useState } from 'react'
import type { Person } from '../../shared/accounts/protocol.ts'
import type { RoomPage } from '../../shared/rooms/page.ts'
import { showLoadingOf } from '../loading.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import { people } from '../rooms/state.ts'
import { closePanel, isPanelOpen, panel } from '../shell/panel.ts'
import { toast } from '../shell/toast.ts'
import { countText } from '../ui/turkish-number.ts'
import { useMedia, WIDE } from '../ui/use-media.ts'
import { useSignal } from '../use-signal.ts'
import { followPeoplePresses } from './open-profile.ts'
import { RoomPeople } from './room-people.tsx'
import { SidePanel } from './side-panel.tsx'

type PeoplePanelProps = Pick<RoomPage, 'users' | 'total' | 'viewer'> & { roomId: number }

/** Who is in the room, or everyone on the site: beside the thread on a wide screen, a sheet on a narrow one. */
export function PeoplePanel({ roomId, users, total, viewer }: PeoplePanelProps): ReactNode {
  const state = useSignal(panel, 'byWidth')
  const isWide = useMedia(WIDE, true)
  const room = useSignal(shownRoom, null)
  const known = useSignal(people, people.peek())
  const shown = room === null ? { users, total, isWhole: users.length >= total, state: 'shown' as const } : known
  useEffect(() => followPeoplePresses(document), [])

  if (isPanelOpen('allUsers', state, isWide)) return <AllUsers viewer={viewer} isWide={isWide} />
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

/** Loaded when it is opened first. */
function AllUsers({ viewer, isWide }: { viewer: Person; isWide: boolean }): ReactNode {
  const [loaded, setLoaded] = useState<typeof import('./all-users-list.tsx') | null>(null)
  useEffect(() => {
    showLoadingOf(import('./all-users-list.tsx')).then(setLoaded, () => {
      closePanel()
      toast('Kullanıcılar alınırken bir hata oluştu.', 'error')
    })
  }, [])
  return (
    <SidePanel title="Tüm Kullanıcılar" titleId="all-users-title" isWide={isWide} isOpen={true}>
      {loaded && <loaded.AllUsersList viewer={viewer} />}
    </SidePanel>
  )
}
