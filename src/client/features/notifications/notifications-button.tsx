import type { ReactNode } from 'react'
import { UnreadButton } from '../../core/shell/panels/unread-button.tsx'
import { icon } from '../../core/ui/composer-icons.tsx'
import { unreadNotificationCount } from './unread-count.ts'

const BellIcon = icon(<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15ZM10 20.5h4" />)

/** The header's button for the notifications, with the number of unread ones. */
export function NotificationsButton(): ReactNode {
  return (
    <UnreadButton
      panel="notifications"
      title="Bildirimler"
      icon={<BellIcon />}
      unread={unreadNotificationCount}
      load={() => import('./state.lazy.ts')}
    />
  )
}
