import { type ReactNode, useMemo } from 'react'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { ComposerForm } from '../conversation/composer/composer-form.tsx'
import type { WritePermission } from '../conversation/conversation.ts'
import { roomConversations } from './state.ts'

interface ComposerProps {
  roomId: RoomId
  viewerId: UserId
  /** Absent where the viewer may write. */
  permission?: WritePermission | undefined
}

/** The composer of a room. */
export function Composer({ roomId, viewerId, permission }: ComposerProps): ReactNode {
  const conversation = useMemo(() => roomConversations.get(roomId), [roomId])
  return <ComposerForm conversation={conversation} viewerId={viewerId} initialPermission={permission} />
}
