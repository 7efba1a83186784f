import { BLOCK_LABEL, BLOCKED_USERS_LABEL, UNBLOCK_LABEL } from '../../../shared/relations/rules.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { BlockIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'
import { openBlockDialog, requestUnblock } from '../../model/relations/blocks.ts'

const blockedUsers = { label: BLOCKED_USERS_LABEL, icon: BlockIcon, run: () => openOverlay('blockedUsers', {}) }

export const feature: ClientFeature = {
  menuEntries: [
    { ...blockedUsers, menu: 'side', order: 80, isAvailable: ({ isGuest }) => !isGuest },
    { ...blockedUsers, menu: 'context', order: 10 },
    { ...blockedUsers, menu: 'settings', order: 10 },
  ],
  personMenuEntries: [
    {
      order: 20,
      label: BLOCK_LABEL,
      isDestructive: true,
      isAvailable: ({ id, status }) => !session.isSelf(id) && status?.hasBlockedProfile === false,
      run: openBlockDialog,
    },
    {
      order: 30,
      label: UNBLOCK_LABEL,
      isAvailable: ({ status }) => status?.hasBlockedProfile === true,
      run: (person) => void requestUnblock(person),
    },
  ],
}
