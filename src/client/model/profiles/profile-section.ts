import type { ComponentType } from 'react'
import type { ConsolidatedProfile } from '../../../shared/profiles/consolidated-protocol.ts'
import { EntryList } from '../../core/shell/entry-list.ts'

export interface ProfileSectionProps {
  /** The shown profile: whose it is, what the viewer may see, and the parts of the answer, such as `answer.posts`. */
  answer: ConsolidatedProfile
}

/** A part of a profile below its buttons, such as the posts: `<section className="profile-section">` with an `h4`. */
export interface ProfileSection {
  /** The sections are shown in this order. */
  order: number
  /** Whether this profile has the section: not across a block, and where the viewer may see it (`answer.status`). */
  isShown(answer: ConsolidatedProfile): boolean
  /** Loads the code when a profile first shows the section; always the same function. */
  load: () => Promise<{ component: ComponentType<ProfileSectionProps> }>
}

/** The sections of all features. */
export const profileSections = new EntryList<ProfileSection>()
