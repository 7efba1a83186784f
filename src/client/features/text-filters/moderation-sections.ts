import { ALERTS_LABEL, FILTER_LABEL, LINKED_ACCOUNTS_LABEL } from '../../../shared/text-filters/screen-texts.ts'
import { AlertIcon } from '../../core/ui/icons.tsx'
import { FunnelIcon, PeopleIcon } from '../../core/ui/lazy-icons.tsx'
import type { ModerationSection } from '../../model/moderation/moderation-section.ts'
import { heldTextsBadge, openAlertsBadge } from './open-counts.ts'

export const moderationSections: readonly ModerationSection[] = [
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
]

declare module '../../model/moderation/moderation-section.ts' {
  interface ModerationSectionParameters {
    alerts: undefined
    wordFilter: undefined
    /** The account whose linked ones are looked up. */
    linkedAccounts: { username: string }
  }
}
