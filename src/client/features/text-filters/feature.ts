import { ALERTS_LABEL, FILTER_LABEL, LINKED_ACCOUNTS_LABEL } from '../../../shared/text-filters/screen-texts.ts'
import { runForRootAdmins } from '../../core/admin/for-root-admins.ts'
import { session } from '../../core/session/session.ts'
import { AlertIcon } from '../../core/ui/icons.tsx'
import { FunnelIcon, PeopleIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'
import { openModerationSection } from '../../model/moderation/open-moderation.ts'
import { heldTextsBadge, openAlertsBadge } from './open-counts.ts'

export const feature: ClientFeature = {
  start: () => runForRootAdmins(async () => (await import('./count-open.ts')).countOpen),
  personMenuEntries: [
    {
      order: 43,
      label: LINKED_ACCOUNTS_LABEL,
      isAvailable: () => session.isRootAdmin(),
      run: ({ username }) => void openModerationSection('linkedAccounts', { username }),
    },
  ],
  moderationSections: [
    {
      name: 'alerts',
      order: 20,
      label: ALERTS_LABEL,
      icon: AlertIcon,
      badge: openAlertsBadge,
      load: async () => ({ component: (await import('./alerts-section.tsx')).AlertsSection }),
    },
    {
      name: 'wordFilter',
      order: 50,
      label: FILTER_LABEL,
      icon: FunnelIcon,
      badge: heldTextsBadge,
      load: async () => ({ component: (await import('./filter-section.tsx')).FilterSection }),
    },
    {
      name: 'linkedAccounts',
      order: 60,
      label: LINKED_ACCOUNTS_LABEL,
      icon: PeopleIcon,
      load: async () => ({ component: (await import('./linked-accounts-section.tsx')).LinkedAccountsSection }),
    },
  ],
  actionLinks: {
    alert: { label: 'Uyarıları göster', open: () => void openModerationSection('alerts') },
  },
}
