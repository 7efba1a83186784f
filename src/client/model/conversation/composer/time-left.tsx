import { type ReactNode, useEffect, useState } from 'react'

/** A longer wait is shown in minutes. */
const MAX_SHOWN_SECONDS = 90

/** Counts down to `until` (epoch milliseconds by this machine's clock). Not read out: the notice says it once. */
export function TimeLeft({ until }: { until: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return (
    <span className="time-left" aria-hidden="true">
      {seconds > MAX_SHOWN_SECONDS ? `${Math.ceil(seconds / 60)} dk` : `${seconds} sn`}
    </span>
  )
}
