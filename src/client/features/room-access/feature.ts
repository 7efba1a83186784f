import { BAN_FROM_ROOM_LABEL, ROOM_BANS_LABEL, ROOM_PASSWORD_LABEL } from '../../../shared/room-access/texts.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { BlockIcon, EveryoneIcon, InfoIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'
import { roomConversations } from '../../model/room-chat/state.ts'
import { preferenceLabel } from './preference-labels.ts'
import { start } from './start.ts'

export const feature: ClientFeature = {
  start,
  /** For staff of the shown room, whom the chat limits exempt. */
  personMenuEntries: [
    {
      order: 35,
      label: BAN_FROM_ROOM_LABEL,
      isDestructive: true,
      isAvailable: ({ id, role }) => {
        const { isExempt = false, joined } = roomConversations.current ?? {}
        return isExempt && role !== 'rootadmin' && id !== joined?.room.ownerId && !session.isSelf(id)
      },
      run: ({ username }) => {
        const roomId = roomConversations.current?.roomId
        if (roomId !== undefined) void openOverlay('roomBanForm', { roomId, username })
      },
    },
  ],
  roomManagementSections: [
    {
      order: 30,
      label: 'Yazma ve medya izni',
      icon: EveryoneIcon,
      access: 'staff',
      summarise: ({ room }) => preferenceLabel(room.messagePreference),
      load: async () => ({ component: (await import('./preferences-section.tsx')).PreferencesSection }),
    },
    {
      order: 40,
      label: ROOM_PASSWORD_LABEL,
      icon: InfoIcon,
      access: 'staff',
      summarise: ({ room }) => (room.hasPassword ? 'Var' : 'Yok'),
      load: async () => ({ component: (await import('./password-section.tsx')).PasswordSection }),
    },
    {
      order: 50,
      label: ROOM_BANS_LABEL,
      icon: BlockIcon,
      access: 'staff',
      load: async () => ({ component: (await import('./bans-section.tsx')).BansSection }),
    },
  ],
}
