import { ACTION_LOG_LABEL, ACTIONS_LABEL } from '../../../shared/audit/texts.ts'
import { messageHash } from '../../../shared/room-chat/message-link.ts'
import { openPath } from '../../core/navigation/open-path.ts'
import { session } from '../../core/session/session.ts'
import { closeOverlays, openOverlay } from '../../core/shell/overlays/overlays.ts'
import { ClockIcon } from '../../core/ui/icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'

export const feature: ClientFeature = {
  personMenuEntries: [
    {
      order: 42,
      label: ACTION_LOG_LABEL,
      isAvailable: ({ isGuest }) => session.isRootAdmin() && isGuest,
      run: ({ username }) => void openOverlay('actionLogDialog', { username }),
    },
  ],
  profileSections: [
    {
      order: 90,
      // That of a guest opens from the menu.
      isShown: ({ actions = [], profile }) => actions.length > 0 && !profile.isGuest,
      load: async () => ({ component: (await import('./action-log.tsx')).ActionLog }),
    },
  ],
  moderationSections: [
    {
      name: 'actions',
      order: 30,
      label: ACTIONS_LABEL,
      icon: ClockIcon,
      load: async () => ({ component: (await import('./actions-section.tsx')).ActionsSection }),
    },
  ],
  /** Links to what several features moderate; a feature has those to its own things. */
  actionLinks: {
    roomMessage: {
      label: 'Mesajı göster',
      isAvailable: ({ room }) => room !== null,
      open: ({ room, subject }) => {
        closeOverlays()
        if (room && subject) openPath(`/room/${room.id}${messageHash(subject.id)}`)
      },
    },
    post: {
      label: 'Gönderiyi göster',
      isAvailable: ({ target }) => typeof target?.currentUsername === 'string',
      open: ({ target, subject }) => {
        if (!subject || typeof target?.currentUsername !== 'string') return
        void openOverlay('post', { postId: subject.id, owner: { id: target.id, username: target.currentUsername } })
      },
    },
  },
}
