import type { ReactNode } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { BAN_FROM_ROOM_LABEL } from '../../../shared/room-access/texts.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { BanTermsForm } from '../../model/moderation/restriction-form.tsx'
import { requestRoomBan } from './room-bans.ts'

interface RoomBanFormProps extends OverlayProps {
  roomId: RoomId
  username: string
}

/** 'Odadan Yasakla': the form with duration and reason. */
export function RoomBanForm({ roomId, username, onClose }: RoomBanFormProps): ReactNode {
  return (
    <BanTermsForm
      title={BAN_FROM_ROOM_LABEL}
      ban={(terms) => requestRoomBan(roomId, { username, ...terms })}
      onClose={onClose}
    >
      <bdi>{username}</bdi> odadan çıkarılır, bu odaya yazdıkları silinir ve süre bitene kadar giremez.
    </BanTermsForm>
  )
}
