import { messageHash } from '../../../shared/room-chat/message-link.ts'
import { openPath } from '../../core/open-path.ts'
import { closeOverlays, openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { ActionLinks } from '../../model/audit/action-link.ts'

/** Links to what several features moderate; a feature has those to its own things. */
export const actionLinks: ActionLinks = {
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
}
