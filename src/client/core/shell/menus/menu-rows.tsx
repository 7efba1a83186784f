import { type ReactNode, useState } from 'react'
import { CountBadge, type LabelBadge } from '../../ui/count-badge.tsx'
import { type MenuContext, type RowMenuEntry, rowMenuEntries } from './menu-entries.ts'
import './menu-row.css'

interface MenuRowProps {
  label: string
  icon: ReactNode
  isDestructive?: boolean
  badge?: LabelBadge | undefined
  /** May return a promise; clicks are ignored until it resolves. */
  run: () => unknown
}

interface MenuRowsProps {
  menu: RowMenuEntry['menu']
  context: MenuContext
}

/** The available entries of a menu, as list items. */
export function MenuRows({ menu, context }: MenuRowsProps): ReactNode {
  return rowMenuEntries(menu, context).map(({ label, icon: Icon, isDestructive = false, badge, run }) => (
    <MenuRow
      key={label}
      label={label}
      icon={<Icon />}
      isDestructive={isDestructive}
      badge={badge}
      run={() => run(context)}
    />
  ))
}

/** A menu entry as a row of a sheet or a panel. */
function MenuRow({ label, icon, isDestructive = false, badge, run }: MenuRowProps): ReactNode {
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
        className={isDestructive ? 'menu-row danger' : 'menu-row'}
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
