import { SEND_GIFT_LABEL } from '../../../shared/gifts/rules.ts'
import { session } from '../../core/session/session.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'
import { openGiftPicker } from './open-gift-picker.ts'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 18,
    label: SEND_GIFT_LABEL,
    isAvailable: ({ id, isGuest, status }) =>
      !isGuest && !session.isSelf(id) && !status?.hasBlockedProfile && !status?.isBlockedByProfile,
    run: openGiftPicker,
  },
]
