import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { ActionLinks } from '../../model/audit/action-link.ts'

export const actionLinks: ActionLinks = {
  moneyRequest: {
    label: 'Talebi göster',
    isAvailable: ({ target }) => typeof target?.currentUsername === 'string',
    open: ({ target }) => void openOverlay('requestsScreen', { search: target?.currentUsername ?? '', status: 'all' }),
  },
}
