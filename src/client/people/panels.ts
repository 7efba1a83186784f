import type { PanelRegistration } from '../shell/panels/panel-state.ts'
import { toast } from '../shell/toasts/toast.ts'
import { RoomPeoplePanel } from './room-people-panel.tsx'

export const panels = {
  roomActiveUsers: { component: RoomPeoplePanel },
  allUsers: {
    title: 'Tüm Kullanıcılar',
    load: async () => (await import('./all-users-list.tsx')).AllUsersList,
    onLoadError: () => toast('Kullanıcılar alınırken bir hata oluştu.', 'error'),
  },
} satisfies Record<string, PanelRegistration>

type PeoplePanels = typeof panels

declare module '../shell/panels/panel-state.ts' {
  interface PanelRegistry extends PeoplePanels {}
}
