import { POPUP_LABEL } from '../../../shared/announcements/texts.ts'
import { hearPopups } from '../../core/live/state.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { AnnounceIcon } from '../../core/ui/lazy-icons.tsx'
import type { ClientFeature } from '../../model/client-feature.ts'

export const feature: ClientFeature = {
  start,
  roomManagementSections: [
    {
      order: 60,
      label: POPUP_LABEL,
      icon: AnnounceIcon,
      access: 'staff',
      load: async () => ({ component: (await import('./room-popup-section.tsx')).RoomPopupSection }),
    },
  ],
}

/** Shows popups, also those that came before this code; their window loads with the first. */
function start(): void {
  hearPopups((popup) => {
    void loadLazy(() => import('./popups.tsx')).then(({ showPopup }) => showPopup(popup))
  })
}
