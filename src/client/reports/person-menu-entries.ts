import { REPORT_LABEL } from '../../shared/reports/screen-texts.ts'
import { session } from '../accounts/session.ts'
import type { PersonMenuEntry } from '../profiles/person-menu.tsx'
import { openOverlay } from '../shell/overlays/overlays.ts'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 38,
    label: REPORT_LABEL,
    isDestructive: true,
    isAvailable: ({ id }) => !session.isSelf(id),
    run: ({ id, username }) => void openOverlay('reportDialog', { target: { kind: 'profile', userId: id, username } }),
  },
]
