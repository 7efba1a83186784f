import { icon } from '../ui/icons.tsx'

export const NewRoomIcon = icon(<path d="M12 5v14M5 12h14" />)
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.2V12l3.2 2.4" />
  </>,
)
