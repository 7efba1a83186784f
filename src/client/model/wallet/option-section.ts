import type { ComponentType } from 'react'
import { EntryList } from '../../core/shell/entry-list.ts'

/** A section of 'Seçenekler', which root admins edit. */
export interface OptionSection {
  /** The sections are shown in this order. */
  order: number
  title: string
  /** What the section decides, in a sentence. */
  hint: string
  /** Loads the code when the screen opens; always the same function. */
  load: () => Promise<{ component: ComponentType }>
}

/** The sections of all features. */
export const optionSections = new EntryList<OptionSection>()
