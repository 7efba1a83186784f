import { type ReactNode, useMemo } from 'react'
import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'
import { ThreadView } from '../../model/conversation/thread/thread-view.tsx'
import { roomConversations } from '../../model/room-chat/state.ts'
import { ThreadStart } from './thread-start.tsx'

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
