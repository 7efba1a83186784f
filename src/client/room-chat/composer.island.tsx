import { type ReactNode, useMemo } from 'react'
import { ComposerForm } from '../conversation/composer/composer-form.tsx'
import { roomConversations } from './state.ts'

/** The composer of a room. */
export function Composer({ roomId, viewerId }: { roomId: number; viewerId: number }): ReactNode {
  const conversation = useMemo(() => roomConversations.get(roomId), [roomId])
  return <ComposerForm conversation={conversation} viewerId={viewerId} />
}
