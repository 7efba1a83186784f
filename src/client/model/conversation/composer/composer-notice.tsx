import type { ReactNode } from 'react'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { AlertIcon, CheckIcon } from '../../../core/ui/icons.tsx'
import { useConversation } from '../conversation-context.ts'
import { TimeLeft } from './time-left.tsx'

interface ComposerNoticeProps {
  refusalText: string | null
  /** Whether the text is sent when the pause is over. */
  isDeferred: boolean
  onCancel: () => void
}

/** A wait, its end, or why the last message was refused. The send button counts a pause down, unless it is disabled. */
export function ComposerNotice({ refusalText, isDeferred, onCancel }: ComposerNoticeProps): ReactNode {
  const { composerNotice, permission } = useConversation()
  const notice = useSignalValue(composerNotice, null)
  const { canWrite } = useSignalValue(permission, permission.peek())
  const shown = notice ?? (refusalText === null ? null : { kind: 'warning' as const, text: refusalText, endsAt: null })
  return (
    <div className="composer-notice" role="status">
      {shown && (
        <p className={`notice-pill notice-pill--${shown.kind}`}>
          {shown.kind === 'warning' ? <AlertIcon size={16} /> : <CheckIcon size={16} />}
          <span>
            {shown.text}
            {isDeferred && ' Mesajın süre bitince gönderilecek.'}
          </span>
          {isDeferred && (
            <button type="button" className="link-button" onClick={onCancel}>
              Gönderme
            </button>
          )}
          {!canWrite && shown.endsAt !== null && <TimeLeft until={shown.endsAt} />}
        </p>
      )}
    </div>
  )
}
