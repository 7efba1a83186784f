import type { MenuContext, MenuEntry } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { GearIcon, InfoIcon } from '../../core/ui/lazy-icons.tsx'

const roomDetail = {
  label: 'Oda Bilgileri',
  icon: InfoIcon,
  isAvailable: ({ room }: MenuContext) => room !== null,
  run: ({ room }: MenuContext) => room && openOverlay('roomDetail', { roomId: room.id, name: room.name }),
}

export const menuEntries: readonly MenuEntry[] = [
  { ...roomDetail, menu: 'context', order: 20 },
  { ...roomDetail, menu: 'settings', order: 20 },
  {
    menu: 'settings',
    order: 30,
    label: 'Oda Yönetimi',
    icon: GearIcon,
    isAvailable: ({ room }) => room !== null,
    run: ({ room }) => room && openOverlay('roomManagement', { roomId: room.id }),
  },
]
