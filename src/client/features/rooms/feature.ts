import type { MenuContext } from '../../core/shell/menus/menu-entries.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { GearIcon, InfoIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'

const roomDetail = {
  label: 'Oda Bilgileri',
  icon: InfoIcon,
  isAvailable: ({ room }: MenuContext) => room !== null,
  run: ({ room }: MenuContext) => room && openOverlay('roomDetail', { roomId: room.id, name: room.name }),
}

export const feature: ClientFeature = {
  menuEntries: [
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
  ],
  profileSections: [
    {
      order: 10,
      isShown: ({ createdRooms }) => createdRooms.length > 0,
      load: async () => ({ component: (await import('./created-rooms.tsx')).CreatedRooms }),
    },
  ],
  optionSections: [
    {
      order: 10,
      title: 'Oda kapasiteleri',
      hint: 'Sipariş edilmiş odalar kendi kapasitesini ve fiyatını korur.',
      load: async () => ({ component: (await import('./room-option-sections.tsx')).CapacityOptionsSection }),
    },
    {
      order: 20,
      title: 'Oda süreleri',
      hint: 'İndirim, kapasitenin fiyatından düşülür.',
      load: async () => ({ component: (await import('./room-option-sections.tsx')).DurationOptionsSection }),
    },
  ],
}
