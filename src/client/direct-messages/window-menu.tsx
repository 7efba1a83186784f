import type { ReactNode } from 'react'
import { openProfile } from '../profiles/open-profile.ts'
import { openOverlay } from '../shell/overlays/overlays.ts'
import { MenuButton } from '../ui/menu/menu-button.tsx'
import { type ConversationTarget, hideConversation } from './conversation-actions.ts'

/** The window's button with the actions on its conversation. */
export function WindowMenu({ id, username }: ConversationTarget): ReactNode {
  const target = { id, username }
  const entries = [
    { label: 'Profili aç', run: () => openProfile(username) },
    { label: 'Konuşmayı gizle', run: () => void hideConversation(target) },
    {
      label: 'Konuşmayı sil',
      isDestructive: true,
      run: () => void openOverlay('deleteConversation', { target }),
    },
  ]
  return <MenuButton label="Konuşma işlemleri" entries={entries} />
}
