import { session } from '../../core/session/session.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'
import { openDirectWindow } from './open-window.ts'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 5,
    label: 'Mesaj',
    isAvailable: ({ id }) => !session.isSelf(id),
    run: (person) => void openDirectWindow(person),
  },
]
