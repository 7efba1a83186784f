import { BANS_LABEL } from '../../../shared/moderation/rules.ts'
import { BlockIcon } from '../../core/ui/lazy-icons.tsx'
import type { ModerationSection } from '../../model/moderation/moderation-section.ts'

export const moderationSections: readonly ModerationSection[] = [
  {
    name: 'bans',
    order: 40,
    label: BANS_LABEL,
    icon: BlockIcon,
    load: async () => ({ component: (await import('./bans-section.tsx')).BansSection }),
  },
]

declare module '../../model/moderation/moderation-section.ts' {
  interface ModerationSectionParameters {
    bans: undefined
  }
}
