import type { ReactNode } from 'react'
import { type MenuContext, type RowMenuEntry, rowMenuEntries } from './menu-entries.ts'
import { MenuRow } from './menu-row.tsx'

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
