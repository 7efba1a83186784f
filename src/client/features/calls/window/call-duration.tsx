import { type ReactNode, useEffect, useState } from 'react'
import { callTexts } from '../../../../shared/calls/window-texts.ts'
import { audioTime } from '../../../model/media/audio/audio-time.ts'

/** How long the two have been connected, as m:ss. */
export function CallDuration({ since }: { since: number | null }): ReactNode {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <span className="tabular" role="timer" aria-label={callTexts.duration}>
      {audioTime(Math.max(0, now - (since ?? now)))}
    </span>
  )
}
