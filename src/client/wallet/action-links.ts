import type { ActionLinks } from '../audit/action-link.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'

export const actionLinks: ActionLinks = {
  moneyRequest: {
    label: 'Talebi göster',
    isAvailable: ({ target }) => typeof target?.currentUsername === 'string',
    open: ({ target }) => void openOverlay('requestsScreen', { search: target?.currentUsername ?? '', status: 'all' }),
  },
}
