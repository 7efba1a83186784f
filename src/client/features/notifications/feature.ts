import { effect } from '../../core/signals/signal.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import { unreadInThread } from '../../model/conversation/thread/unread-in-thread.ts'
import { unreadMessageCount } from '../../model/direct-messages/unread-count.ts'
import { unreadNotificationCount } from './unread-count.ts'

export const feature: ClientFeature = {
  start,
  panels: {
    notifications: {
      title: 'Bildirimler',
      load: async () => (await import('./notifications-panel.tsx')).NotificationsPanel,
    },
  },
}

/** Shows the number of what is unread in the tab's title: '(3) #Meydan'. */
function start(): void {
  const show = (): void => {
    const count = unreadInThread.value + unreadMessageCount.value + unreadNotificationCount.value
    const plain = document.title.replace(/^\(\d+\) /, '')
    document.title = count > 0 ? `(${count}) ${plain}` : plain
  }
  effect(show)
  // The new page has its own title.
  document.addEventListener('meydan:navigated', show)
}
