import type { ReactNode } from 'react'
import { UnreadButton } from '../../core/shell/panels/unread-button.tsx'
import { MailIcon } from './icons.tsx'
import { unreadMessageCount } from './unread-count.ts'

/** The header's button for the list of conversations, with the number of unread messages. */
export function ConversationsButton(): ReactNode {
  return (
    <UnreadButton
      panel="dmList"
      title="Mesajlar"
      icon={<MailIcon />}
      unread={unreadMessageCount}
      load={async () => (await import('./conversation-list-state.part.ts')).watchUnread()}
    />
  )
}
