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
