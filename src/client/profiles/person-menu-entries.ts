import { COPY_USERNAME_LABEL, copyUsername } from './copy-username.ts'
import type { PersonMenuEntry } from './person-menu.tsx'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  { order: 10, label: COPY_USERNAME_LABEL, run: ({ username }) => void copyUsername(username) },
]
