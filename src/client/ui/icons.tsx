import type { ReactNode } from 'react'

/** The project's own icons on a grid of 24, hidden from screen readers: the control around one has the name. */
export function icon(drawing: ReactNode): (props: { size?: number }) => ReactNode {
  return ({ size = 20 }) => (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {drawing}
    </svg>
  )
}

export const SendIcon = icon(<path d="M12 19.5v-15M5.5 11 12 4.5l6.5 6.5" />)
export const SmileIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M8.5 14.2a4.2 4.2 0 0 0 7 0M9 9.6v.1M15 9.6v.1" />
  </>,
)
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
