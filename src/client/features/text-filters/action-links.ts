import type { ActionLinks } from '../../model/audit/action-link.ts'
import { openModerationSection } from '../../model/moderation/open-moderation.ts'

export const actionLinks: ActionLinks = {
  alert: { label: 'Uyarıları göster', open: () => void openModerationSection('alerts') },
}
