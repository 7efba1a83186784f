import { ACTION_LOG_LABEL } from '../../../shared/audit/texts.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 42,
    label: ACTION_LOG_LABEL,
    isAvailable: ({ isGuest }) => session.isRootAdmin() && isGuest,
    run: ({ username }) => void openOverlay('actionLogDialog', { username }),
  },
]
