import type { ComponentType } from 'react'
import type { ActionFilter } from '../../../shared/audit/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { EntryList } from '../../core/shell/entry-list.ts'
import type { LabelBadge } from '../../core/ui/count-badge.tsx'

/** The sections of 'Moderasyon' by name, each with what it may be opened for; `undefined` for one without a parameter. */
export interface ModerationSectionParameters {
  /** The user whose reports are opened. */
  reports: { userId: UserId; username: string }
  alerts: undefined
  /** The filter to begin with. */
  actions: ActionFilter
  bans: undefined
  mutes: undefined
  wordFilter: undefined
  /** The account whose linked ones are looked up. */
  linkedAccounts: { username: string }
}

export type ModerationSectionName = keyof ModerationSectionParameters

export interface ModerationSectionProps<N extends ModerationSectionName> {
  /** What the section was opened for; undefined when it was chosen from the list. */
  parameter: ModerationSectionParameters[N] | undefined
}

interface SectionOf<N extends ModerationSectionName> {
  name: N
  /** The sections are listed in this order. */
  order: number
  label: string
  icon: ComponentType
  badge?: LabelBadge
  /** Loads the code when the section is first opened; always the same function. */
  load: () => Promise<{ component: ComponentType<ModerationSectionProps<N>> }>
}

/** A section of 'Moderasyon'. */
export type ModerationSection = { [N in ModerationSectionName]: SectionOf<N> }[ModerationSectionName]

/** The sections of all features. */
export const moderationSections = new EntryList<ModerationSection>()
