import { heldTextsText, openAlertsText } from '../../../shared/text-filters/screen-texts.ts'
import { signal } from '../../core/signals/signal.ts'
import type { LabelBadge } from '../../core/ui/count-badge.tsx'

/** For root admins; 0 until they are loaded. */
export const openAlertCount = signal(0)
export const heldTextCount = signal(0)

export const openAlertsBadge: LabelBadge = { count: openAlertCount, describe: openAlertsText }
export const heldTextsBadge: LabelBadge = { count: heldTextCount, describe: heldTextsText }
