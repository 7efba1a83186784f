import { type ReactNode, useEffect, useState } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { formatLira } from '../../../shared/wallet/ledger.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { StarIcon } from '../../core/ui/icons.tsx'
import { WalletIcon } from './icons.tsx'
import { useLiveValue } from './option-store.ts'
import { premiumTerms } from './options.ts'
import { ownBalance } from './own-balance.ts'
import { walletActions } from './wallet-action.ts'
import './wallet.lazy.css'
import { DAY_MS } from '../../../shared/text/istanbul-time.ts'
import { premiumText } from '../../../shared/wallet/premium/premium.ts'
import { live } from '../../core/live/state.ts'

/** A longer timer would wait too long after the computer has slept. */
const MAX_WAIT_MS = 10 * 60_000

/** The wallet in the profile card (specification 2, point 2, "Wallet widget"); a guest gets the upgrade button alone. */
export function WalletWidget({ viewer }: { viewer: Person }): ReactNode {
  if (viewer.isGuest) {
    return (
      <div className="wallet">
        <UpgradeButton label="Premium ol" onClick={() => openOverlay('signUp', {})} />
      </div>
    )
  }
  const { premiumExpiryDate, premiumStatus, role } = viewer
  const isPremium = premiumStatus === 'premium'
  return (
    <section className="wallet" aria-label="Cüzdan">
      <BalanceButton />
      {premiumExpiryDate !== undefined && <PremiumStatus endsAt={premiumExpiryDate} />}
      {/* Root admins count as premium. */}
      {role !== 'rootadmin' && (
        <UpgradeButton
          label={isPremium ? 'Premium süresini uzat' : 'Premium ol'}
          onClick={() => openOverlay('premiumUpgrade', {})}
        />
      )}
      <div className="row wrap">
        {walletActions.all.map(({ label, icon: Icon, run }) => (
          <button key={label} type="button" className="button" onClick={run}>
            <Icon />
            {label}
          </button>
        ))}
      </div>
    </section>
  )
}

function UpgradeButton({ label, onClick }: { label: string; onClick: () => void }): ReactNode {
  const { value } = useLiveValue(premiumTerms)
  return (
    <button type="button" className="button button--accent" onClick={onClick}>
      <StarIcon size={16} />
      {label} · {formatLira(value.premiumCost)}
    </button>
  )
}

/** Shows the balance under the pointer, with the focus, and after a tap. */
function BalanceButton(): ReactNode {
  const { value, isFailed, reload } = useLiveValue(ownBalance)
  const [isShown, setShown] = useState(false)
  if (isFailed && !value) {
    return (
      <button type="button" className="wallet-balance" onClick={reload}>
        <WalletIcon />
        Bakiye alınamadı. Tekrar dene
      </button>
    )
  }
  const text = value ? formatLira(value.balance) : '...'
  return (
    <button
      type="button"
      className="wallet-balance"
      aria-label={`Bakiye ${text}`}
      data-shown={isShown}
      onClick={() => setShown(!isShown)}
    >
      <WalletIcon />
      Bakiye <span>{text}</span>
    </button>
  )
}

/** The days that are left of premium, or that it has ended: to the minute, by the server's clock. */
function PremiumStatus({ endsAt }: { endsAt: number }): ReactNode {
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
