import type { RoomId } from '../../../shared/protocol/ids.ts'
import {
  LIFT_MUTE_LABEL,
  MUTE_LABEL,
  MUTES_LABEL,
  REMOVE_MESSAGE_LABEL,
  RESTORE_MESSAGE_LABEL,
  WARN_LABEL,
} from '../../../shared/sanctions/texts.ts'
import { replayMissed } from '../../core/live/replay-missed.ts'
import { live } from '../../core/live/state.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { effect } from '../../core/signals/signal.ts'
import { MutedIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'
import type { MessageMenuTarget } from '../../model/conversation/message-menu/message-menu-entry.ts'
import type { PersonMenuTarget } from '../../model/profiles/person-menu-entry.ts'
import { watchRoomRemovals } from '../../model/room-chat/message-removal.ts'
import { RoomConversation } from '../../model/room-chat/room-conversation.ts'
import { roomConversations } from '../../model/room-chat/state.ts'
import { fetchRoom } from '../../model/rooms/fetch-room.ts'
import { roomSubscription } from '../../model/rooms/state.ts'
import { ownSanctions } from '../../model/sanctions/own-sanctions.ts'
import { isMutedIn, requestMuteLift } from './mutes.ts'
import { RoomStaff } from './room-staff.ts'

/** The staff of the shown room. */
const shownRoomStaff = new RoomStaff({
  live,
  roomSubscription,
  conversations: roomConversations,
  isRootAdmin: () => session.isRootAdmin(),
  fetchAdmins: (roomId) =>
    fetchRoom(roomId).then(
      ({ room }) => room.Admins.map(({ id }) => id),
      () => null,
    ),
})

/** The shown room if the viewer runs it, whom its chat limits exempt; else null. */
function managedRoomId(): RoomId | null {
  const { isExempt = false, roomId = null } = roomConversations.current ?? {}
  return isExempt ? roomId : null
}

/** The places where the viewer may mute this person: the site (null) and the shown room. */
function placesFor({ id, role }: PersonMenuTarget): (RoomId | null)[] {
  if (role === 'rootadmin' || session.isSelf(id)) return []
  const roomId = managedRoomId()
  const rooms = roomId === null || shownRoomStaff.has(id) ? [] : [roomId]
  return session.isRootAdmin() ? [null, ...rooms] : rooms
}

/**
 * Of messages in rooms: root admins, and the staff of the room, to whom the chat limits do not apply either; these not of
 * each other and of root admins.
 */
function mayRemove({ conversation, message: { id, isOwn, sender } }: MessageMenuTarget): boolean {
  if (id === null || isOwn || !(conversation instanceof RoomConversation)) return false
  if (session.isRootAdmin()) return true
  return conversation.isExempt && sender.role !== 'rootadmin' && !shownRoomStaff.has(sender.id)
}

function openDialog({ message: { id, sender } }: MessageMenuTarget, isRestored: boolean): void {
  if (id !== null) void openOverlay('removeMessageDialog', { messageId: id, username: sender.username, isRestored })
}

export const feature: ClientFeature = {
  start,
  personMenuEntries: [
    {
      order: 31,
      label: WARN_LABEL,
      isAvailable: ({ id, role }) => session.isRootAdmin() && role !== 'rootadmin' && !session.isSelf(id),
      run: ({ username }) => void openOverlay('warnForm', { username }),
    },
    {
      order: 32,
      label: MUTE_LABEL,
      isDestructive: true,
      isAvailable: (person) => placesFor(person).some((roomId) => !isMutedIn(person, roomId)),
      run: ({ username }) => void openOverlay('muteForm', { username, roomId: managedRoomId() }),
    },
    {
      order: 33,
      label: LIFT_MUTE_LABEL,
      isAvailable: (person) => placesFor(person).some((roomId) => isMutedIn(person, roomId)),
      run: (person) => {
        const { id: userId, username } = person
        for (const roomId of placesFor(person))
          if (isMutedIn(person, roomId)) void requestMuteLift({ userId, username, roomId })
      },
    },
  ],
  messageMenuEntries: [
    {
      order: 90,
      label: REMOVE_MESSAGE_LABEL,
      isDestructive: true,
      isAvailable: (target) => mayRemove(target) && !target.message.isRemoved,
      run: (target) => openDialog(target, false),
    },
    {
      order: 95,
      label: RESTORE_MESSAGE_LABEL,
      isAvailable: (target) => mayRemove(target) && target.message.isRemoved === true,
      run: (target) => openDialog(target, true),
    },
  ],
  roomManagementSections: [
    {
      order: 52,
      label: MUTES_LABEL,
      icon: MutedIcon,
      access: 'staff',
      load: async () => ({ component: (await import('./mutes-section.tsx')).RoomMutesSection }),
    },
  ],
  moderationSections: [
    {
      name: 'mutes',
      order: 45,
      label: MUTES_LABEL,
      icon: MutedIcon,
      load: async () => ({ component: (await import('./mutes-section.tsx')).SiteMutesSection }),
    },
  ],
}

/** Follows the viewer's warnings and mutes, and removals in the shown room. */
function start(): void {
  replayMissed(
    live,
    () => {
      ownSanctions.watch(live)
      watchRoomRemovals({ live, conversations: roomConversations, viewerId: () => session.user?.id ?? null })
    },
    // Events are missing: the messages of the room come again. Own mutes come with the next connection.
    () => roomSubscription.rejoin(),
  )
  effect(() => {
    if (ownSanctions.warnings.value.length > 0) void loadLazy(() => import('./warning-popup.tsx'))
  })
}
