import type { ComponentType } from 'react'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'

export interface ProfileSectionProps {
  /** The shown profile: whose it is, what the viewer may see, and the parts of the answer, such as `answer.posts`. */
  answer: ConsolidatedProfile
}

/**
 * A part of a profile below its buttons, such as the posts: `<section className="profile-section">` with an `h4`. A feature's `profile-sections.ts` exports them as
 * `profileSections`.
 */
export interface ProfileSection {
  /** The sections are shown in this order. */
  order: number
  /** Whether this profile has the section: not across a block, and where the viewer may see it (`answer.status`). */
  isShown(answer: ConsolidatedProfile): boolean
  /** Loads the code when a profile first shows the section; always the same function. */
  load: () => Promise<{ component: ComponentType<ProfileSectionProps> }>
}

/** All features' sections, in order. */
export const profileSections = Object.values(
  import.meta.glob<readonly ProfileSection[]>('../../{core,model,features,page}/*/profile-sections.ts', {
    eager: true,
    import: 'profileSections',
  }),
)
  .flat()
  .sort((a, b) => a.order - b.order)
