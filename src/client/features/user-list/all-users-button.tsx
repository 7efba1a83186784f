import type { ReactNode } from 'react'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { useIsRootAdmin } from '../../core/admin/use-is-root-admin.ts'
import { shownRoom } from '../../core/session/shown-room.ts'
import { isPanelOpen, panelState, togglePanel } from '../../core/shell/panels/panel-state.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { EveryoneIcon } from '../../core/ui/lazy-icons.tsx'

/** The header's button for the panel of all users: root admins have it, because the panel shows others nothing. */
export function AllUsersButton({ viewer }: { viewer: Person }): ReactNode {
  const isLive = useSignalValue(shownRoom, null) !== null
  const isRootAdmin = useIsRootAdmin()
  const state = useSignalValue(panelState, 'byWidth')
  if (!(isLive ? isRootAdmin : viewer.role === 'rootadmin')) return null
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
