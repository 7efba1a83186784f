import { type ReactNode, useMemo } from 'react'
import type { RoomId, UserId } from '../../shared/protocol/ids.ts'
import { ComposerForm } from '../conversation/composer/composer-form.tsx'
import { roomConversations } from './state.ts'

/** The composer of a room. */
export function Composer({ roomId, viewerId }: { roomId: RoomId; viewerId: UserId }): ReactNode {
  const conversation = useMemo(() => roomConversations.get(roomId), [roomId])
  return <ComposerForm conversation={conversation} viewerId={viewerId} />
}
