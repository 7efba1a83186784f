import { REPORT_LABEL } from '../../../shared/reports/screen-texts.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 38,
    label: REPORT_LABEL,
    isDestructive: true,
    isAvailable: ({ id }) => !session.isSelf(id),
    run: ({ id, username }) => void openOverlay('reportDialog', { target: { kind: 'profile', userId: id, username } }),
  },
]
