import type { ReactNode } from 'react'
import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import { isolateBidi } from '../../shared/text/bidi-isolate.ts'

interface ThreadStartProps {
  room: Pick<RoomPageProps['room'], 'name' | 'greetingMessage'>
  isEmpty: boolean
}

/** The start of a room: its greeting, before which nothing was said, and an invitation where nothing was said yet. */
export function ThreadStart({ room, isEmpty }: ThreadStartProps): ReactNode {
  return (
    <div className="thread-start" data-empty={isEmpty}>
      {isEmpty && <img src="/drawings/quiet.svg" alt="" width="280" height="180" />}
      <p className="thread-start-title">{isEmpty ? 'Burası şimdilik sessiz' : `#${room.name}`}</p>
      <p className="thread-start-text">{room.greetingMessage ?? `#${isolateBidi(room.name)} odasına hoş geldin.`}</p>
      <p className="thread-start-text">{isEmpty ? 'İlk sözü sen söyle.' : 'Odanın başlangıcı burası.'}</p>
    </div>
  )
}
