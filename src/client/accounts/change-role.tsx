import { type ReactNode, useState } from 'react'
import { type RoleChange, roleWords } from '../../shared/accounts/roles.ts'
import { Refusal } from '../../shared/protocol/refusals.ts'
import type { OverlayProps } from '../shell/open.ts'
import { toast } from '../shell/toast.ts'
import { Modal } from '../ui/modal.tsx'
import { callApi } from './call-api.ts'
import '../moderation/moderation.css'

interface ChangeRoleProps extends OverlayProps {
  username: string
  change: RoleChange
}

/** Asks before somebody is made a root admin, or is one no more. */
export function ChangeRole({ username, change, onClose }: ChangeRoleProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const { entry, question } = roleWords[change]
  const carryOut = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (await changeRole(username, change)) onClose()
    else setBusy(false)
  }
  return (
    <Modal title={entry} onClose={onClose}>
      <div className="ban-form">
        <p className="ban-whom">
          <bdi>{username}</bdi> {question}
        </p>
        <div className="ban-deeds">
          <button type="button" className="button" onClick={onClose}>
            Vazgeç
          </button>
          <button
            type="button"
            className={change === 'promote' ? 'button button--accent' : 'button button--danger'}
            aria-disabled={isBusy}
            onClick={carryOut}
          >
            {isBusy && <span className="spinner" />}
            {entry}
          </button>
        </div>
      </div>
    </Modal>
  )
}

/** Changes somebody's role, and says how that went. Answers whether it is changed. */
async function changeRole(username: string, change: RoleChange): Promise<boolean> {
  const { done, failed } = roleWords[change]
  const path = `/root-admin/${change}-user-to-rootadmin`
  const answer = await callApi<'promoteUser' | 'demoteUser'>(path, { as: 'admin', body: { username } })
  if (answer === 'lost' || answer instanceof Refusal) {
    void toast(answer instanceof Refusal ? `${failed} ${answer.body.message}` : failed, 'error')
    return false
  }
  void toast(done(username), 'success')
  return true
}
