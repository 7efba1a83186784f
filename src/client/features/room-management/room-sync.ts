import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import type { RoomId, UserId } from '../../../shared/protocol/ids.ts'
import {
  adminAddedText,
  adminRemovedText,
  SLOW_MODE_OFF_TEXT,
  slowModeOnText,
} from '../../../shared/room-management/texts.ts'
import { isolateBidi } from '../../../shared/text/bidi-isolate.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { ToastKind } from '../../core/shell/toasts/toast.ts'
import type { RoomConversation } from '../../model/room-chat/room-conversation.ts'
import type { RoomConversations } from '../../model/room-chat/room-conversations.ts'
import type { Background } from '../../model/rooms/room-background.tsx'

interface RoomSyncDeps {
  live: LiveClient
  conversations: Pick<RoomConversations, 'current'>
  session: { isSelf(userId: UserId): boolean; isRootAdmin(): boolean }
  toast: (text: string, kind: ToastKind) => unknown
  showBackground: (background: Background) => void
}

type Settings = EventPayload<'roomSettingsUpdated'>

/** Applies changes of the shown room's settings and of the viewer's rights in it, and tells the viewer. */
export class RoomSync {
  private readonly deps: RoomSyncDeps

  constructor(deps: RoomSyncDeps) {
    this.deps = deps
    const { live, session, toast } = deps
    live.on('roomSettingsUpdated', (settings) => this.applySettings(settings))
    live.on('roomAdminAdded', ({ roomId, roomName, admin }) => {
      if (!session.isSelf(admin.id)) return
      this.setExempt(roomId, true)
      toast(adminAddedText(isolateBidi(roomName)), 'success')
    })
    live.on('roomAdminRemoved', ({ roomId, roomName, userId }) => {
      if (!session.isSelf(userId)) return
      this.setExempt(roomId, session.isRootAdmin())
      toast(adminRemovedText(isolateBidi(roomName)), 'info')
    })
  }

  /** The settings of a room were changed, or read again. */
  applySettings({ roomId, slowModeSeconds, ...settings }: Settings): void {
    const room = this.findShown(roomId)
    if (!room) return
    this.deps.showBackground(settings)
    const before = room.joined
    if (!before || before.room.slowModeSeconds === slowModeSeconds) return
    room.joined = { ...before, room: { ...before.room, slowModeSeconds } }
    room.limits.peek()?.recheckPause()
    if (room.isExempt) return
    this.deps.toast(slowModeSeconds === 0 ? SLOW_MODE_OFF_TEXT : slowModeOnText(slowModeSeconds), 'info')
  }

  private setExempt(roomId: RoomId, isExempt: boolean): void {
    const room = this.findShown(roomId)
    if (!room) return
    room.isExempt = isExempt
    room.limits.peek()?.recheckPause()
  }

  private findShown(roomId: RoomId): RoomConversation | null {
    const { current } = this.deps.conversations
    return current?.roomId === roomId ? current : null
  }
}
