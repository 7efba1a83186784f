import { LINKED_ACCOUNTS_LABEL } from '../../shared/text-filters/screen-texts.ts'
import { session } from '../accounts/session.ts'
import { openModerationSection } from '../moderation/open-moderation.ts'
import type { PersonMenuEntry } from '../profiles/person-menu.tsx'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 43,
    label: LINKED_ACCOUNTS_LABEL,
    isAvailable: () => session.isRootAdmin(),
    run: ({ username }) => void openModerationSection('linkedAccounts', { username }),
  },
]
