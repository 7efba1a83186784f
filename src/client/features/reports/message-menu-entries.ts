import { conversationPreview } from '../../../shared/direct-messages/rules.ts'
import type { MessageId } from '../../../shared/protocol/ids.ts'
import { REPORT_LABEL } from '../../../shared/reports/screen-texts.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import type { MessageMenuEntry, MessageMenuTarget } from '../../model/conversation/message-menu/message-menu-entry.ts'
import type { ReportTarget } from './report-target.ts'

export const messageMenuEntries: readonly MessageMenuEntry[] = [
  {
    order: 80,
    label: REPORT_LABEL,
    isDestructive: true,
    isAvailable: ({ message }) => !message.isOwn && message.id !== null && !message.isRemoved,
    run: (target) => {
      const { id } = target.message
      if (id !== null) void openOverlay('reportDialog', { target: reportTargetOf(target, id) })
    },
  },
]

function reportTargetOf({ conversation, message }: MessageMenuTarget, messageId: MessageId): ReportTarget {
  const { place, viewerName } = conversation
  const { content, media, sender } = message
  const common = {
    username: sender.username,
    messageId,
    preview: conversationPreview(content, media?.mediaType ?? null),
  }
  if (place.kind === 'room') return { ...common, kind: 'roomMessage', roomId: place.roomId }
  return { ...common, kind: 'directMessage', recipientUsername: viewerName.peek() }
}
