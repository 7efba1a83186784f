import { type ReactNode, useState } from 'react'
import { CountBadge, type LabelBadge } from '../../ui/count-badge.tsx'
import './menu-row.css'

interface MenuRowProps {
  label: string
  icon: ReactNode
  isDestructive?: boolean
  badge?: LabelBadge | undefined
  /** May return a promise; clicks are ignored until it resolves. */
  run: () => unknown
}

/** A menu entry as a row of a sheet or a panel. */
export function MenuRow({ label, icon, isDestructive = false, badge, run }: MenuRowProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const press = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await run()
    setBusy(false)
  }
  return (
    <li>
      <button
        type="button"
        className={isDestructive ? 'menu-row menu-row--destructive' : 'menu-row'}
        aria-disabled={isBusy}
        onClick={press}
      >
        {icon}
        <span className="grow">{label}</span>
        {badge && <CountBadge badge={badge} />}
      </button>
    </li>
  )
}
