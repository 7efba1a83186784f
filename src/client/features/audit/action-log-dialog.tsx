import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { ActionLogEntry } from '../../../shared/audit/action-log.ts'
import { ACTION_LOG_LABEL, ACTIONS_NOT_LOADED, NO_ACTIONS_TEXT } from '../../../shared/audit/texts.ts'
import { isFailure } from '../../../shared/protocol/result.ts'
import { callApi } from '../../core/http/call-api.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { Modal } from '../../core/ui/dialogs/modal.tsx'
import { ListFailure, ListLoading } from '../../core/ui/lists/paged-list.tsx'
import { openModerationSection } from '../../model/moderation/open-moderation.ts'
import { ActionLogList } from './action-log-list.tsx'

interface ActionLogDialogProps extends OverlayProps {
  username: string
}

/** 'Aksiyonlar': what a guest did and what was done to them. */
export function ActionLogDialog({ username, onClose }: ActionLogDialogProps): ReactNode {
  const { actions, load } = useActionsOfGuest(username)
  const openAll = (): void => {
    onClose()
    void openModerationSection('actions', { username })
  }
  return (
    <Modal title={ACTION_LOG_LABEL} onClose={onClose}>
      <div className="stack gap-4">
        <p className="subject">
          <bdi>{username}</bdi>
        </p>
        {actions === null && <ListLoading />}
        {actions === 'failed' && <ListFailure reason={ACTIONS_NOT_LOADED} reload={load} />}
        {Array.isArray(actions) && actions.length === 0 && <p className="list-note">{NO_ACTIONS_TEXT}</p>}
        {Array.isArray(actions) && actions.length > 0 && <ActionLogList actions={actions} />}
        <button type="button" className="button" onClick={openAll}>
          Moderasyonda göster
        </button>
      </div>
    </Modal>
  )
}

interface GuestActions {
  /** null while they load. */
  actions: readonly ActionLogEntry[] | 'failed' | null
  load: () => void
}

function useActionsOfGuest(username: string): GuestActions {
  const [actions, setActions] = useState<GuestActions['actions']>(null)
  const load = useCallback((): void => {
    setActions(null)
    const path = `/users/profile-consolidated-guest/${encodeURIComponent(username)}`
    void callApi<'consolidatedGuestProfile'>(path, { as: 'user' }).then((answer) =>
      setActions(isFailure(answer) ? 'failed' : (answer.actions ?? [])),
    )
  }, [username])
  useEffect(load, [load])
  return { actions, load }
}
