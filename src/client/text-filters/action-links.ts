import type { ActionLinks } from '../audit/action-link.ts'
import { openModerationSection } from '../moderation/open-moderation.ts'

export const actionLinks: ActionLinks = {
  alert: { label: 'Uyarıları göster', open: () => void openModerationSection('alerts') },
}
