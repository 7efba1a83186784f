import { icon } from '../ui/icons.tsx'

/** Drawings of what people say of themselves. */
export const CakeIcon = icon(
  <path d="M4 20h16M5.5 20v-7.5a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2V20M5.5 15.2c2.2 1.8 4.3 1.8 6.5 0s4.3-1.8 6.5 0M12 10.5V7.5M12 4.2v.1" />,
)
export const PlaceIcon = icon(
  <>
    <path d="M12 21c4.4-4.3 6.6-7.9 6.6-10.9a6.6 6.6 0 1 0-13.2 0c0 3 2.2 6.6 6.6 10.9Z" />
    <circle cx="12" cy="10" r="2.3" />
  </>,
)
