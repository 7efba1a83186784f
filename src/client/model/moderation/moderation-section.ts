import type { ComponentType } from 'react'
import type { LabelBadge } from '../../core/ui/count-badge.tsx'

/**
 * The sections of 'Moderasyon' by name, each with the type of its parameter, such as the user whose reports are opened.
 * Each feature adds its own by declaration merging; `undefined` for a section without a parameter.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the features fill it
export interface ModerationSectionParameters {}

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

/** A section of 'Moderasyon'. A feature's `moderation-sections.ts` exports them as `moderationSections`. */
export type ModerationSection = { [N in ModerationSectionName]: SectionOf<N> }[ModerationSectionName]

/** The sections of all features, in order. */
export const moderationSections = Object.values(
  import.meta.glob<readonly ModerationSection[]>('../../{core,model,features,page}/*/moderation-sections.ts', {
    eager: true,
    import: 'moderationSections',
  }),
)
  .flat()
  .sort((a, b) => a.order - b.order)
