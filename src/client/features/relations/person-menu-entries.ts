import { BLOCK_LABEL, UNBLOCK_LABEL } from '../../../shared/relations/rules.ts'
import { session } from '../../core/session/session.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'
import { openBlockDialog, requestUnblock } from '../../model/relations/blocks.ts'

export const personMenuEntries: readonly PersonMenuEntry[] = [
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
]
