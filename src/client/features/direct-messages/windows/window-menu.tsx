import type { ReactNode } from 'react'
import { openOverlay } from '../../../core/shell/overlays/overlays.ts'
import { MenuButton } from '../../../core/ui/menu/menu-button.tsx'
import { openProfile } from '../../../model/profiles/open-profile.ts'
import { type ConversationTarget, hideConversation } from '../conversation-actions.ts'

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
