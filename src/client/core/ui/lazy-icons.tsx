import { icon } from './composer-icons.tsx'

/** Icons of parts that load later, kept out of the first file of a room. */
export const InfoIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 11v5.2M12 7.8v.1" />
  </>,
)
export const GearIcon = icon(
  <>
    <circle cx="12" cy="12" r="3" />
    <path d="M19.4 14.6a1.6 1.6 0 0 0 .3 1.8l.1.1a2 2 0 1 1-2.8 2.8l-.1-.1a1.6 1.6 0 0 0-2.7 1.1v.2a2 2 0 1 1-4 0v-.1a1.6 1.6 0 0 0-2.8-1.1l-.1.1a2 2 0 1 1-2.8-2.8l.1-.1a1.6 1.6 0 0 0-1.1-2.7h-.2a2 2 0 1 1 0-4h.1a1.6 1.6 0 0 0 1.1-2.8l-.1-.1a2 2 0 1 1 2.8-2.8l.1.1a1.6 1.6 0 0 0 1.8.3 1.6 1.6 0 0 0 .9-1.4V3a2 2 0 1 1 4 0v.1a1.6 1.6 0 0 0 2.7 1.1l.1-.1a2 2 0 1 1 2.8 2.8l-.1.1a1.6 1.6 0 0 0 1.1 2.7h.2a2 2 0 1 1 0 4h-.1a1.6 1.6 0 0 0-1.4 1Z" />
  </>,
)
export const BlockIcon = icon(<path d="M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0ZM6.4 6.4l11.2 11.2" />)
export const ShieldIcon = icon(<path d="M12 3.5 5 6v5.5c0 4.4 2.9 7.6 7 9 4.1-1.4 7-4.6 7-9V6ZM9 12l2.2 2.2L15.2 10" />)
export const FlagIcon = icon(<path d="M6 21V4.5c3.5-2 6.5 1.6 12 0v9c-5.5 1.6-8.5-2-12 0" />)
export const FunnelIcon = icon(<path d="M4 5.5h16l-6 7.2v5l-4 2v-7Z" />)
export const ChevronIcon = icon(<path d="m6 9.5 6 6 6-6" />)
export const PictureIcon = icon(
  <>
    <rect x="3.5" y="5" width="17" height="14" rx="2.5" />
    <circle cx="8.5" cy="10" r="1.6" />
    <path d="m4 17 5-4.5 3.5 3 3-2.5 4.5 4" />
  </>,
)
export const AnnounceIcon = icon(
  <>
    <path d="M4 10v4h3l9 4.5v-13L7 10H4ZM7 14v4.5h2.5V15" />
    <path d="M19 9.5a4 4 0 0 1 0 5" />
  </>,
)
export const ChartIcon = icon(<path d="M4 20h16M7 16.5v-5M12 16.5v-10M17 16.5V9" />)
export const PeopleIcon = icon(
  <>
    <circle cx="9" cy="8" r="3.6" />
    <path d="M2.5 19.5c.6-3.7 3.1-5.5 6.5-5.5s5.9 1.8 6.5 5.5M16 4.8a3.6 3.6 0 0 1 0 6.4M18 14.4c2 .8 3.2 2.5 3.5 5.1" />
  </>,
)
export const EveryoneIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M3.5 12h17M12 3.5c5 4.6 5 12.4 0 17M12 3.5c-5 4.6-5 12.4 0 17" />
  </>,
)
export const RoomsIcon = icon(<path d="M5 20V10a3.5 3.5 0 0 1 7 0v10M12 20V10a3.5 3.5 0 0 1 7 0v10M3 20h18" />)
export const MoonIcon = icon(<path d="M20 14.2A8.3 8.3 0 1 1 9.8 4a6.6 6.6 0 0 0 10.2 10.2Z" />)
export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4" />
  </>,
)
export const LeaveIcon = icon(<path d="M14 4.5H7a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h7M10.5 12h9M16 8.3l3.7 3.7-3.7 3.7" />)
export const CloseIcon = icon(<path d="m6 6 12 12M18 6 6 18" />)
export const UnpluggedIcon = icon(
  <path d="M4 20l3.5-3.5M20 4l-3.5 3.5M12.5 5.5l6 6 1-1a4.2 4.2 0 0 0-6-6ZM5.5 12.5l6 6-1 1a4.2 4.2 0 0 1-6-6ZM8 15l2.5-2.5M9 16l2.5-2.5" />,
)
export const ArrowIcon = icon(<path d="M4.5 12h15M13 5.5l6.5 6.5-6.5 6.5" />)
export const WomanIcon = icon(
  <>
    <circle cx="12" cy="8.5" r="5" />
    <path d="M12 13.5v8M8.5 18h7" />
  </>,
)
export const ManIcon = icon(
  <>
    <circle cx="10" cy="14" r="5.5" />
    <path d="M14 10 20 4M14.8 4H20v5.2" />
  </>,
)
export const ComputerIcon = icon(<path d="M4 5h16v10.5H4ZM9 20h6M12 15.5V20" />)
export const PhoneIcon = icon(
  <path d="M8.5 3h7A1.5 1.5 0 0 1 17 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19.5v-15A1.5 1.5 0 0 1 8.5 3ZM11 17.8h2" />,
)
export const WindowsIcon = icon(
  <>
    <rect x="3.5" y="8.5" width="11.5" height="11.5" rx="2" />
    <path d="M9 8.5V6a2 2 0 0 1 2-2h7.5a2 2 0 0 1 2 2v7.5a2 2 0 0 1-2 2H15M3.5 12.5H15" />
  </>,
)
export const ConeIcon = icon(<path d="M10.5 4h3l5 15.5h-13ZM2.8 19.5h18.4M8.6 10h6.8M7 14.8h10" />)
export const ReloadIcon = icon(<path d="M19.3 13.5A7.5 7.5 0 1 1 17 6.6l2.5 2.4M19.5 4v5h-5" />)
export const MoreIcon = icon(<path d="M12 5.5v.1M12 12v.1M12 18.4v.1" strokeWidth="3" />)
export const MutedIcon = icon(
  <path d="M20 12.5c0 3.6-3.6 6.5-8 6.5-1 0-2-.2-2.9-.4L4.5 20.5l1.3-3.9A6 6 0 0 1 4 12.5C4 8.9 7.6 6 12 6M15.5 5l5 5M20.5 5l-5 5" />,
)
export const MailIcon = icon(<path d="M4 5.5h16v13H4ZM4.5 6.5 12 13l7.5-6.5" />)
export const JoinIcon = icon(
  <>
    <circle cx="10" cy="8" r="3.8" />
    <path d="M3 20c.6-4 3.3-6 7-6 1.4 0 2.7.3 3.7.9M18 14v6M15 17h6" />
  </>,
)
