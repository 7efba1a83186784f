import type { ReactNode } from 'react'
import { UnreadButton } from '../../../core/shell/panels/unread-button.tsx'
import { MailIcon } from '../../../core/ui/lazy-icons.tsx'
import { unreadMessageCount } from '../../../model/direct-messages/unread-count.ts'

/** The header's button for the list of conversations, with the number of unread messages. */
export function ConversationsButton(): ReactNode {
  return (
    <UnreadButton
      panel="dmList"
      title="Mesajlar"
      icon={<MailIcon />}
      unread={unreadMessageCount}
      load={async () => (await import('./conversation-list-state.lazy.ts')).watchUnread()}
    />
  )
}
