import { live } from '../live/state.ts'
import { loadPart } from '../load-part.ts'

// From the first connection on, because a popup is not sent again. Its window loads with the first one.
live.on('popupNotification', (popup) => {
  void loadPart(() => import('./popups.tsx')).then(({ showPopup }) => showPopup(popup))
})
