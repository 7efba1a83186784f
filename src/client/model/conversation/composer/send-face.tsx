import type { ReactNode } from 'react'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { SendIcon } from '../../../core/ui/composer-icons.tsx'
import { useConversation } from '../conversation-context.ts'
import { TimeLeft } from './time-left.tsx'

/** What the send button shows: its icon, or in a pause the seconds that are left. */
export function SendFace(): ReactNode {
  const { composerNotice } = useConversation()
  const pauseEndsAt = useSignalValue(composerNotice, null)?.endsAt ?? null
  return pauseEndsAt === null ? <SendIcon /> : <TimeLeft until={pauseEndsAt} />
}
