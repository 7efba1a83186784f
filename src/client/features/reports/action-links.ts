import type { Action } from '../../../shared/audit/protocol.ts'
import type { ActionLink, ActionLinks } from '../../model/audit/action-link.ts'
import { openModerationSection } from '../../model/moderation/open-moderation.ts'

const toReports: ActionLink = {
  label: 'Şikâyetleri göster',
  isAvailable: ({ target }) => target !== null && target.username !== null,
  open: ({ target }: Action) => {
    if (target && target.username !== null)
      void openModerationSection('reports', { userId: target.id, username: target.username })
  },
}

/** Both lead to the reports about the person. */
export const actionLinks: ActionLinks = { report: toReports, reportDecision: toReports }
