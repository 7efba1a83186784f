import { profileTexts } from '../../shared/profiles/rules.ts'
import { copyText } from '../copy-text.ts'
import type { PersonMenuEntry } from './person-menu.tsx'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  { order: 10, label: profileTexts.copyUsername, run: ({ username }) => void copyText(username) },
]
