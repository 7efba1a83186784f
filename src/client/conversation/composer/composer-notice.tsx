import { type ReactNode, useEffect, useState } from 'react'
import { AlertIcon, CheckIcon } from '../../ui/icons.tsx'
import { useSignalValue } from '../../use-signal-value.ts'
import { useConversation } from '../conversation-context.ts'

/** A wait, its end, or why the last message was refused. */
export function ComposerNotice({ refusalText }: { refusalText: string | null }): ReactNode {
  const { composerNotice } = useConversation()
  const notice = useSignalValue(composerNotice, null)
  const shown = notice ?? (refusalText === null ? null : { kind: 'warning' as const, text: refusalText, endsAt: null })
  return (
    <div className="composer-notice" role="status">
      {shown && (
        <p className={`notice-pill notice-pill--${shown.kind}`}>
          {shown.kind === 'warning' ? <AlertIcon size={16} /> : <CheckIcon size={16} />}
          <span>{shown.text}</span>
          {shown.endsAt !== null && <TimeLeft until={shown.endsAt} />}
        </p>
      )}
    </div>
  )
}

/** A longer wait is shown in minutes. */
const MAX_SHOWN_SECONDS = 90

/** Counts down to `until` (epoch milliseconds by this machine's clock). Not read out: the text beside it says it once. */
function TimeLeft({ until }: { until: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return (
    <span className="notice-seconds" aria-hidden="true">
      {seconds > MAX_SHOWN_SECONDS ? `${Math.ceil(seconds / 60)} dk` : `${seconds} sn`}
    </span>
  )
}
