import { type ReactNode, useLayoutEffect, useMemo } from 'react'
import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import { ThreadView } from '../conversation/thread/thread-view.tsx'
import { showRoom } from '../rooms/shown-room.ts'
import { openRoom, roomConversations } from './state.ts'
import { ThreadStart } from './thread-start.tsx'

/** The messages of a room. */
export function Thread(page: RoomPageProps): ReactNode {
  const { room } = page
  const conversation = useMemo(() => roomConversations.get(room.id), [room.id])
  useLayoutEffect(() => {
    openRoom(page)
    showRoom(page.room)
  }, [page])
  return (
    <ThreadView
      conversation={conversation}
      initial={page}
      label={`#${room.name} mesajları`}
      renderStart={(isEmpty) => <ThreadStart room={room} isEmpty={isEmpty} />}
    />
  )
}
