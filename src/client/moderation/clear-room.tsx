import type { ReactNode } from 'react'
import { CLEAR_ROOM_LABEL } from '../../shared/moderation/rules.ts'
import type { OverlayProps } from '../shell/open.ts'
import { Confirm } from '../ui/confirm.tsx'
import { clearRoom } from './bans.ts'

interface ClearRoomProps extends OverlayProps {
  roomId: number
  name: string
}

/** Asks before everything that was said in a room is taken away. */
export function ClearRoom({ roomId, name, onClose }: ClearRoomProps): ReactNode {
  return (
    <Confirm title={CLEAR_ROOM_LABEL} deed="Temizle" run={() => clearRoom(roomId)} onClose={onClose}>
      <bdi>#{name}</bdi> odasında yazılmış her şey herkes için silinir. Bu geri alınamaz.
    </Confirm>
  )
}
