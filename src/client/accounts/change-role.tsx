import type { ReactNode } from 'react'
import { type RoleAction, roleTexts } from '../../shared/accounts/roles.ts'
import type { OverlayProps } from '../shell/open.ts'
import { sayFailure } from '../shell/say-failure.ts'
import { toast } from '../shell/toast.ts'
import { Confirm } from '../ui/confirm.tsx'
import { callApi } from './call-api.ts'

interface ChangeRoleProps extends OverlayProps {
  username: string
  change: RoleAction
}

/** Asks before somebody is made a root admin, or is one no more. */
export function ChangeRole({ username, change, onClose }: ChangeRoleProps): ReactNode {
  const { menuLabel: entry, question } = roleTexts[change]
  return (
    <Confirm
      title={entry}
      deed={entry}
      isGrave={change === 'demote'}
      run={() => changeRole(username, change)}
      onClose={onClose}
    >
      <bdi>{username}</bdi> {question}
    </Confirm>
  )
}

/** Changes somebody's role, and says how that went. Answers whether it is changed. */
async function changeRole(username: string, change: RoleAction): Promise<boolean> {
  const { doneText: done, failedText: failed } = roleTexts[change]
  const path = `/root-admin/${change}-user-to-rootadmin`
  const answer = await callApi<'promoteUser' | 'demoteUser'>(path, { as: 'admin', body: { username } })
  if (sayFailure(answer, failed)) return false
  void toast(done(username), 'success')
  return true
}
