import { icon } from '../../core/ui/composer-icons.tsx'

/** Icons of direct messages, kept out of the first file of a room. */
export const MinimiseIcon = icon(<path d="M5 18h14" />)
export const RestoreIcon = icon(<path d="M6 14.5 12 8.5l6 6" />)
export const DoubleCheckIcon = icon(<path d="m2.5 12.5 4.2 4.2L15.5 7.5M11 15.7l1 1L20.8 7.5" />)
