import { icon } from '../composer-icons.tsx'

/** Icons of profiles and their menus. */
export const CakeIcon = icon(
  <path d="M4 20h16M5.5 20v-7.5a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2V20M5.5 15.2c2.2 1.8 4.3 1.8 6.5 0s4.3-1.8 6.5 0M12 10.5V7.5M12 4.2v.1" />,
)
export const PlaceIcon = icon(
  <>
    <path d="M12 21c4.4-4.3 6.6-7.9 6.6-10.9a6.6 6.6 0 1 0-13.2 0c0 3 2.2 6.6 6.6 10.9Z" />
    <circle cx="12" cy="10" r="2.3" />
  </>,
)
export const PencilIcon = icon(
  <path d="M4 20l1-4.2L15.8 5a2 2 0 0 1 2.8 0l.4.4a2 2 0 0 1 0 2.8L8.2 19 4 20ZM14 6.8l3.2 3.2" />,
)
export const CopyIcon = icon(<path d="M9 8.5h10.5V20H9ZM15 8.5V4H4.5v11.5H9" />)
