import { type ReactNode, useLayoutEffect, useMemo } from 'react'
import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'
import { showRoom } from '../../core/session/shown-room.ts'
import { ComposerForm } from '../../model/conversation/composer/composer-form.tsx'
import { openRoom, roomConversations } from '../../model/room-chat/state.ts'
import { COMPOSER_FIELD_ID } from './composer-field-id.ts'

/** The composer of a room: the only island that the first message needs, so it opens the room too. */
export function Composer(page: RoomPageProps): ReactNode {
  const { room, viewer, writePermission } = page
  const conversation = useMemo(() => roomConversations.get(room.id), [room.id])
  useLayoutEffect(() => {
    openRoom(page)
    showRoom(page.room)
  }, [page])
  return (
    <ComposerForm
      conversation={conversation}
      viewerId={viewer.id}
      initialPermission={writePermission}
      fieldId={COMPOSER_FIELD_ID}
    />
  )
}
