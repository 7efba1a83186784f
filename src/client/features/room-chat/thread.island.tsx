import { type ReactNode, useMemo } from 'react'
import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'
import quietUrl from '../../core/art/quiet.svg?url'
import { ThreadView } from '../../model/conversation/thread/thread-view.tsx'
import { roomConversations } from '../../model/room-chat/state.ts'

interface ThreadStartProps {
  room: Pick<RoomPageProps['room'], 'name' | 'greetingMessage'>
  isEmpty: boolean
}

/** The messages of a room; its composer opens the room. */
export function Thread(page: RoomPageProps): ReactNode {
  const { room } = page
  const conversation = useMemo(() => roomConversations.get(room.id), [room.id])
  return (
    <ThreadView
      conversation={conversation}
      initial={page}
      label={`#${room.name} mesajları`}
      renderStart={(isEmpty) => <ThreadStart room={room} isEmpty={isEmpty} />}
    />
  )
}

/** The start of a room's messages: its greeting, and an invitation to write when there are none. */
function ThreadStart({ room, isEmpty }: ThreadStartProps): ReactNode {
  return (
    <div className="thread-start" data-empty={isEmpty}>
      {isEmpty && <img src={quietUrl} alt="" width="280" height="180" />}
      <p className="thread-start-title">{isEmpty ? 'Burası şimdilik sessiz' : <bdi>#{room.name}</bdi>}</p>
      <p dir="auto">
        {room.greetingMessage ?? (
          <>
            #<bdi>{room.name}</bdi> odasına hoş geldin.
          </>
        )}
      </p>
      <p>{isEmpty ? 'İlk sözü sen söyle.' : 'Odanın başlangıcı burası.'}</p>
    </div>
  )
}
