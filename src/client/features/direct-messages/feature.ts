import { CONVERSATIONS_NOT_LOADED } from '../../../shared/direct-messages/rules.ts'
import { outbox } from '../../core/live/state.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { session } from '../../core/session/session.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import { openDirectWindow, windowOpener } from '../../model/direct-messages/open-window.ts'
import { deleteFileStorage } from '../../model/media/upload/delete-file-storage.ts'
import { WINDOWS_KEY } from './windows/window-storage.ts'

export const feature: ClientFeature = {
  start,
  panels: {
    dmList: {
      title: 'Mesajlar',
      load: async () => (await import('./list/conversation-list-panel.tsx')).ConversationListPanel,
      failureText: CONVERSATIONS_NOT_LOADED,
    },
  },
  personMenuEntries: [
    {
      order: 5,
      label: 'Mesaj',
      isAvailable: ({ id }) => !session.isSelf(id),
      run: (person) => void openDirectWindow(person),
    },
  ],
}

windowOpener.set(async () => (await import('./windows/direct-windows.tsx')).openWindow)

/** Loads the windows that were open on the last visit, or a message that waits to be sent. */
function start(): void {
  const { browserStorage } = browserEnvironment
  const isWaiting = outbox.entries.peek().some(({ name }) => name === 'sendDirectMessage')
  if (isWaiting || browserStorage.get(WINDOWS_KEY) !== null) void loadLazy(() => import('./windows/direct-windows.tsx'))
  session.onClear(() => {
    // The next user of this browser must not see with whom this one talked, nor find the files of tabs that are closed.
    browserStorage.set(WINDOWS_KEY, null)
    deleteFileStorage()
  })
}
