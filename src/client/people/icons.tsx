import { icon } from '../ui/icons.tsx'

/** Drawings that only lists of people and profiles have: neither is there when a room is first shown. */
export const SearchIcon = icon(<path d="m20 20-4.4-4.4M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0Z" />)
export const MoreIcon = icon(<path d="M12 5.5v.1M12 12v.1M12 18.4v.1" strokeWidth="3" />)
export const CopyIcon = icon(<path d="M9 8.5h10.5V20H9ZM15 8.5V4H4.5v11.5H9" />)
