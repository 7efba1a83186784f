import { USERS_NOT_LOADED } from '../../../shared/presence/rules.ts'
import { togglePanel } from '../../core/shell/panels/panel-state.ts'
import { EveryoneIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'
import { RoomPeopleButton } from './room-people-button.tsx'
import { RoomPeoplePanel } from './room-people-panel.tsx'

export const feature: ClientFeature = {
  dockEntries: [{ order: 10, component: RoomPeopleButton }],
  panels: {
    roomActiveUsers: { component: RoomPeoplePanel },
    allUsers: {
      title: 'Tüm Kullanıcılar',
      load: async () => (await import('./all-users-list.tsx')).AllUsersList,
      failureText: USERS_NOT_LOADED,
    },
  },
  menuEntries: [
    {
      menu: 'side',
      order: 90,
      label: 'Tüm Kullanıcılar',
      icon: EveryoneIcon,
      isAvailable: ({ isRootAdmin }) => isRootAdmin,
      run: () => togglePanel('allUsers'),
    },
  ],
}
