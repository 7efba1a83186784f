import type { ReactNode } from 'react'
import { icon } from './composer-icons.tsx'

export const DownIcon = icon(<path d="M12 5v14M5.5 12.5 12 19l6.5-6.5" />)
export const AlertIcon = icon(
  <path d="M12 8v4.5M12 16.2v.1M10.3 4 2.7 17.3a2 2 0 0 0 1.7 3h15.2a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z" />,
)
export const CheckIcon = icon(<path d="m5 12.5 4.7 4.7L19 7.5" />)
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </>,
)
export const StarIcon = ({ size = 12 }: { size?: number }): ReactNode => (
  <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
    <path d="m12 2.5 2.9 6.3 6.8.8-5 4.7 1.3 6.8-6-3.4-6 3.4 1.3-6.8-5-4.7 6.8-.8Z" />
  </svg>
)
