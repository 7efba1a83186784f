import type { ActionFilter } from '../../shared/audit/protocol.ts'
import { ACTIONS_LABEL } from '../../shared/audit/texts.ts'
import type { ModerationSection } from '../moderation/moderation-section.ts'
import { ClockIcon } from '../ui/lazy-icons.tsx'

export const moderationSections: readonly ModerationSection[] = [
  {
    name: 'actions',
    order: 30,
    label: ACTIONS_LABEL,
    icon: ClockIcon,
    load: async () => ({ component: (await import('./actions-section.tsx')).ActionsSection }),
  },
]

declare module '../moderation/moderation-section.ts' {
  interface ModerationSectionParameters {
    /** The filter to begin with. */
    actions: ActionFilter
  }
}
