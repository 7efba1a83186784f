import type { ActionFilter } from '../../../shared/audit/protocol.ts'
import { ACTIONS_LABEL } from '../../../shared/audit/texts.ts'
import { ClockIcon } from '../../core/ui/lazy-icons.tsx'
import type { ModerationSection } from '../../model/moderation/moderation-section.ts'

export const moderationSections: readonly ModerationSection[] = [
  {
    name: 'actions',
    order: 30,
    label: ACTIONS_LABEL,
    icon: ClockIcon,
    load: async () => ({ component: (await import('./actions-section.tsx')).ActionsSection }),
  },
]

declare module '../../model/moderation/moderation-section.ts' {
  interface ModerationSectionParameters {
    /** The filter to begin with. */
    actions: ActionFilter
  }
}
