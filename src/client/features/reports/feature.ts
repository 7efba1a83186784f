import type { Action } from '../../../shared/audit/protocol.ts'
import { conversationPreview } from '../../../shared/direct-messages/rules.ts'
import type { MessageId } from '../../../shared/protocol/ids.ts'
import { REPORT_LABEL, REPORTS_LABEL } from '../../../shared/reports/screen-texts.ts'
import { runForRootAdmins } from '../../core/admin/for-root-admins.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { FlagIcon } from '../../core/ui/lazy-icons.tsx'
import type { ActionLink } from '../../model/audit/action-link.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import type { MessageMenuTarget } from '../../model/conversation/message-menu/message-menu-entry.ts'
import { openModerationSection } from '../../model/moderation/open-moderation.ts'
import { openReportsBadge } from '../../model/reports/open-report-count.ts'
import type { ReportTarget } from './submitting/report-target.ts'

function reportTargetOf({ conversation, message }: MessageMenuTarget, messageId: MessageId): ReportTarget {
  const { place, viewerName } = conversation
  const { content, media, sender } = message
  const common = {
    username: sender.username,
    messageId,
    preview: conversationPreview(content, media?.mediaType ?? null),
  }
  if (place.kind === 'room') return { ...common, kind: 'roomMessage', roomId: place.roomId }
  return { ...common, kind: 'directMessage', recipientUsername: viewerName.peek() }
}

const toReports: ActionLink = {
  label: 'Şikâyetleri göster',
  isAvailable: ({ target }) => target !== null && target.username !== null,
  open: ({ target }: Action) => {
    if (target && target.username !== null)
      void openModerationSection('reports', { userId: target.id, username: target.username })
  },
}

export const feature: ClientFeature = {
  start: () => runForRootAdmins(async () => (await import('./count-open-reports.ts')).countOpenReports),
  personMenuEntries: [
    {
      order: 38,
      label: REPORT_LABEL,
      isDestructive: true,
      isAvailable: ({ id }) => !session.isSelf(id),
      run: ({ id, username }) =>
        void openOverlay('reportDialog', { target: { kind: 'profile', userId: id, username } }),
    },
  ],
  messageMenuEntries: [
    {
      order: 80,
      label: REPORT_LABEL,
      isDestructive: true,
      isAvailable: ({ message }) => !message.isOwn && message.id !== null && !message.isRemoved,
      run: (target) => {
        const { id } = target.message
        if (id !== null) void openOverlay('reportDialog', { target: reportTargetOf(target, id) })
      },
    },
  ],
  moderationSections: [
    {
      name: 'reports',
      order: 10,
      label: REPORTS_LABEL,
      icon: FlagIcon,
      badge: openReportsBadge,
      load: async () => ({ component: (await import('./reports-section.tsx')).ReportsSection }),
    },
  ],
  /** Both lead to the reports about the person. */
  actionLinks: { report: toReports, reportDecision: toReports },
}
