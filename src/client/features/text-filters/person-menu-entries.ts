import { LINKED_ACCOUNTS_LABEL } from '../../../shared/text-filters/screen-texts.ts'
import { session } from '../../core/session/session.ts'
import { openModerationSection } from '../../model/moderation/open-moderation.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 43,
    label: LINKED_ACCOUNTS_LABEL,
    isAvailable: () => session.isRootAdmin(),
    run: ({ username }) => void openModerationSection('linkedAccounts', { username }),
  },
]
