import type { ReactNode } from 'react'
import type { RoomPage } from '../../shared/rooms/page.ts'
import { shownRoom } from '../rooms/shown-room.ts'
import { people } from '../rooms/state.ts'
import { closePanel, panel } from '../shell/panel.ts'
import { Sheet } from '../ui/sheet.tsx'
import { countText } from '../ui/turkish-number.ts'
import { useMedia, WIDE } from '../ui/use-media.ts'
import { useSignal } from '../use-signal.ts'
import { PeopleList } from './people-list.tsx'
import './people-panel.css'

type PeoplePanelProps = Pick<RoomPage, 'users' | 'total'> & { viewerId: number }

/** Who is in the room: beside the thread on a wide screen, a sheet on a narrow one. */
export function PeoplePanel({ users, total, viewerId }: PeoplePanelProps): ReactNode {
  const state = useSignal(panel, 'byWidth')
  const isWide = useMedia(WIDE, true)
  const room = useSignal(shownRoom, null)
  const live = useSignal(people, { users, total })
  const shown = room === null ? { users, total } : live

  if (!isWide && state === 'roomActiveUsers') {
    return (
      <Sheet title={<Title total={shown.total} />} titleId="people-title" side="right" onClose={closePanel}>
        <PeopleList {...shown} viewerId={viewerId} />
      </Sheet>
    )
  }
  return (
    <aside className="people-panel" data-state={state} aria-labelledby="people-title">
      <header className="panel-head">
        <h2 id="people-title" className="panel-title">
          <Title total={shown.total} />
        </h2>
      </header>
      <PeopleList {...shown} viewerId={viewerId} />
    </aside>
  )
}

function Title({ total }: { total: number }): ReactNode {
  return (
    <>
      Odadakiler <span className="panel-count">{countText(total)}</span>
    </>
  )
}
