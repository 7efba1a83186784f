import type { ComponentType } from 'react'

/** A section of 'Seçenekler', which root admins edit. A feature's `option-sections.ts` exports them as `optionSections`. */
export interface OptionSection {
  /** The sections are shown in this order. */
  order: number
  title: string
  /** What the section decides, in a sentence. */
  hint: string
  /** Loads the code when the screen opens; always the same function. */
  load: () => Promise<{ component: ComponentType }>
}

/** The sections of all features, in order. */
export const optionSections = Object.values(
  import.meta.glob<readonly OptionSection[]>('../../{core,model,features,page}/*/option-sections.ts', {
    eager: true,
    import: 'optionSections',
  }),
)
  .flat()
  .sort((a, b) => a.order - b.order)
