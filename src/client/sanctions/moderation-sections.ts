import { MUTES_LABEL } from '../../shared/sanctions/texts.ts'
import type { ModerationSection } from '../moderation/moderation-section.ts'
import { MutedIcon } from '../ui/lazy-icons.tsx'

export const moderationSections: readonly ModerationSection[] = [
  {
    name: 'mutes',
    order: 45,
    label: MUTES_LABEL,
    icon: MutedIcon,
    load: async () => ({ component: (await import('./mutes-section.tsx')).SiteMutesSection }),
  },
]

declare module '../moderation/moderation-section.ts' {
  interface ModerationSectionParameters {
    mutes: undefined
  }
}
