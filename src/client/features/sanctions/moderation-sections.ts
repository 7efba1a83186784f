import { MUTES_LABEL } from '../../../shared/sanctions/texts.ts'
import { MutedIcon } from '../../core/ui/lazy-icons.tsx'
import type { ModerationSection } from '../../model/moderation/moderation-section.ts'

export const moderationSections: readonly ModerationSection[] = [
  {
    name: 'mutes',
    order: 45,
    label: MUTES_LABEL,
    icon: MutedIcon,
    load: async () => ({ component: (await import('./mutes-section.tsx')).SiteMutesSection }),
  },
]

declare module '../../model/moderation/moderation-section.ts' {
  interface ModerationSectionParameters {
    mutes: undefined
  }
}
