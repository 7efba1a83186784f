import type { ReactNode } from 'react'
import { isPanelOpen, panelState, togglePanel } from '../shell/panels/panel-state.ts'
import { EveryoneIcon } from '../ui/lazy-icons.tsx'
import { useSignalValue } from '../use-signal-value.ts'

/** The header's button for the panel of all users. */
export function AllUsersButton(): ReactNode {
  const state = useSignalValue(panelState, 'byWidth')
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
