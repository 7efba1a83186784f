import { effect } from '../../core/signal.ts'
import { unreadInThread } from '../../model/conversation/thread/unread-in-thread.ts'
import { unreadMessageCount } from '../direct-messages/unread-count.ts'
import { unreadNotificationCount } from './unread-count.ts'

/** Shows the number of what is unread in the tab's title: '(3) #Meydan'. */
export function start(): void {
  const show = (): void => {
    const count = unreadInThread.value + unreadMessageCount.value + unreadNotificationCount.value
    const plain = document.title.replace(/^\(\d+\) /, '')
    document.title = count > 0 ? `(${count}) ${plain}` : plain
  }
  effect(show)
  // The new page has its own title.
  document.addEventListener('meydan:navigated', show)
}
