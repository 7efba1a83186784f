import type { UserId } from '../../../shared/protocol/ids.ts'
import { REPORTS_LABEL } from '../../../shared/reports/screen-texts.ts'
import { FlagIcon } from '../../core/ui/lazy-icons.tsx'
import type { ModerationSection } from '../../model/moderation/moderation-section.ts'
import { openReportsBadge } from '../../model/reports/open-report-count.ts'

export const moderationSections: readonly ModerationSection[] = [
  {
    name: 'reports',
    order: 10,
    label: REPORTS_LABEL,
    icon: FlagIcon,
    badge: openReportsBadge,
    load: async () => ({ component: (await import('./reports-section.tsx')).ReportsSection }),
  },
]

declare module '../../model/moderation/moderation-section.ts' {
  interface ModerationSectionParameters {
    /** The user whose reports are opened. */
    reports: { userId: UserId; username: string }
  }
}
