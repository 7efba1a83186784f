import type { ReactNode } from 'react'
import { isPanelOpen, panel, togglePanel } from '../shell/panel.ts'
import { icon } from '../ui/icons.tsx'
import { useSignal } from '../use-signal.ts'

const EveryoneIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M3.5 12h17M12 3.5c5 4.6 5 12.4 0 17M12 3.5c-5 4.6-5 12.4 0 17" />
  </>,
)

/** The header's way to the panel of all users. */
export function AllUsersButton(): ReactNode {
  const state = useSignal(panel, 'byWidth')
  return (
    <button
      type="button"
      className="icon-button"
      aria-label="Tüm kullanıcılar"
      title="Tüm kullanıcılar"
      aria-expanded={isPanelOpen('allUsers', state, true)}
      onClick={() => togglePanel('allUsers')}
    >
      <EveryoneIcon />
    </button>
  )
}
