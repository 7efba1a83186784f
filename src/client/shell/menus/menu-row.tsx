import { type ReactNode, useState } from 'react'
import './menu-row.css'

interface MenuRowProps {
  label: string
  icon: ReactNode
  isDestructive?: boolean
  /** A promise that it answers is waited for: until then a second press does nothing. */
  run: () => unknown
}

/** One line of a sheet or a panel that leads somewhere. */
export function MenuRow({ label, icon, isDestructive = false, run }: MenuRowProps): ReactNode {
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
        {label}
      </button>
    </li>
  )
}
