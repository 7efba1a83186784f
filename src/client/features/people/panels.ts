import { USERS_NOT_LOADED } from '../../../shared/presence/rules.ts'
import type { PanelRegistration } from '../../core/shell/panels/panel-state.ts'
import { RoomPeoplePanel } from './room-people-panel.tsx'

export const panels = {
  roomActiveUsers: { component: RoomPeoplePanel },
  allUsers: {
    title: 'Tüm Kullanıcılar',
    load: async () => (await import('./all-users-list.tsx')).AllUsersList,
    failureText: USERS_NOT_LOADED,
  },
} satisfies Record<string, PanelRegistration>

type PeoplePanels = typeof panels

declare module '../../core/shell/panels/panel-state.ts' {
  interface PanelRegistry extends PeoplePanels {}
}
