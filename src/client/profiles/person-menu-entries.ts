import { copyUsername } from './copy-username.ts'
import type { PersonMenuEntry } from './person-menu.tsx'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  { order: 10, label: 'Kullanıcı adını kopyala', run: ({ username }) => void copyUsername(username) },
]
