import { profileTexts } from '../../../shared/profiles/rules.ts'
import { copyText } from '../../core/shell/copy-text.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'
import { profileUrl } from './profile-link.ts'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  { order: 10, label: profileTexts.copyUsername, run: ({ username }) => void copyText(username) },
  { order: 15, label: profileTexts.copyLink, run: ({ username }) => void copyText(profileUrl(username)) },
]
