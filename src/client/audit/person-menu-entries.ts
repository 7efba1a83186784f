import { ACTION_LOG_LABEL } from '../../shared/audit/texts.ts'
import { session } from '../accounts/session.ts'
import type { PersonMenuEntry } from '../profiles/person-menu.tsx'
import { openOverlay } from '../shell/overlays/overlays.ts'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 42,
    label: ACTION_LOG_LABEL,
    isAvailable: ({ isGuest }) => session.isRootAdmin() && isGuest,
    run: ({ username }) => void openOverlay('actionLogDialog', { username }),
  },
]
