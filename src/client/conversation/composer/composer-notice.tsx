import { type ReactNode, useEffect, useState } from 'react'
import { composerNotice } from '../../room-chat/state.ts'
import { AlertIcon, CheckIcon } from '../../ui/icons.tsx'
import { useSignalValue } from '../../use-signal-value.ts'

/** What the reader has to know before sending: a wait, its end, or why the last try was refused. */
export function ComposerNotice({ refused }: { refused: string | null }): ReactNode {
  const current = useSignalValue(composerNotice, null)
  const shown = current ?? (refused === null ? null : { kind: 'warning' as const, text: refused, endsAt: null })
  return (
    <div className="composer-notice" role="status">
      {shown && (
        <p className={`notice-pill notice-pill--${shown.kind}`}>
          {shown.kind === 'warning' ? <AlertIcon size={16} /> : <CheckIcon size={16} />}
          <span>{shown.text}</span>
          {shown.endsAt !== null && <SecondsLeft until={shown.endsAt} />}
        </p>
      )}
    </div>
  )
}

/** Counts down to `until` (epoch milliseconds by this machine's clock). Not read out: the text beside it says it once. */
function SecondsLeft({ until }: { until: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="notice-seconds" aria-hidden="true">
      {Math.max(0, Math.ceil((until - now) / 1000))} sn
    </span>
  )
}
