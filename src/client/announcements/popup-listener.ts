import { live } from '../live/state.ts'

// From the first moment of the line on: a popup is not sent again. What shows it is loaded when one comes.
live.on('popupNotification', (popup) => {
  import('./popups.tsx').then(({ showPopup }) => showPopup(popup), console.error)
})
