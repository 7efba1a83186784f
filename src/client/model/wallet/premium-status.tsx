import { type ReactNode, useEffect, useState } from 'react'
import { DAY_MS } from '../../../shared/text/istanbul-time.ts'
import { premiumText } from '../../../shared/wallet/premium.ts'
import { live } from '../../core/live/state.ts'

/** A longer timer would wait too long after the computer has slept. */
const MAX_WAIT_MS = 10 * 60_000

/** The days that are left of premium, or that it has ended: to the minute, by the server's clock. */
export function PremiumStatus({ endsAt }: { endsAt: number }): ReactNode {
  const [tick, setTick] = useState(0)
  useEffect(() => {
    const left = endsAt - live.serverNow()
    if (left <= 0) return
    const untilChange = left % DAY_MS || DAY_MS
    const timer = setTimeout(() => setTick(tick + 1), Math.min(untilChange, MAX_WAIT_MS))
    return () => clearTimeout(timer)
  }, [endsAt, tick])
  return <p className="soft small semibold">{premiumText(endsAt, live.serverNow())}</p>
}
