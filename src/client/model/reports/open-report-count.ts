import { openReportsText } from '../../../shared/reports/screen-texts.ts'
import { signal } from '../../core/signals/signal.ts'
import type { LabelBadge } from '../../core/ui/count-badge.tsx'

/** The users with open reports, for root admins; 0 until it is loaded. */
export const openReportCount = signal(0)

export const openReportsBadge: LabelBadge = { count: openReportCount, describe: openReportsText }
