import { USERS_NOT_LOADED } from '../../shared/presence/rules.ts'
import type { PanelRegistration } from '../shell/panels/panel-state.ts'
import { toast } from '../shell/toasts/toast.ts'
import { RoomPeoplePanel } from './room-people-panel.tsx'

export const panels = {
  roomActiveUsers: { component: RoomPeoplePanel },
  allUsers: {
    title: 'Tüm Kullanıcılar',
    load: async () => (await import('./all-users-list.tsx')).AllUsersList,
    onLoadError: () => toast(USERS_NOT_LOADED, 'error'),
  },
} satisfies Record<string, PanelRegistration>

type PeoplePanels = typeof panels

declare module '../shell/panels/panel-state.ts' {
  interface PanelRegistry extends PeoplePanels {}
}
