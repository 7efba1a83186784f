import type { ReactNode } from 'react'
import { type RoleAction, roleTexts } from '../../../../shared/accounts/role-texts.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { ConfirmDialog } from '../../../core/ui/dialogs/confirm-dialog.tsx'

interface ChangeRoleDialogProps extends OverlayProps {
  username: string
  change: RoleAction
}

/** Asks before a user is promoted to root admin or demoted. */
export function ChangeRoleDialog({ username, change, onClose }: ChangeRoleDialogProps): ReactNode {
  const { menuLabel, question } = roleTexts[change]
  return (
    <ConfirmDialog
      title={menuLabel}
      confirmLabel={menuLabel}
      isDestructive={change === 'demote'}
      run={() => changeRole(username, change)}
      onClose={onClose}
    >
      <bdi>{username}</bdi> {question}
    </ConfirmDialog>
  )
}

/** Changes a user's role and shows the result in a toast. Returns whether it succeeded. */
async function changeRole(username: string, change: RoleAction): Promise<boolean> {
  const { doneText, failedText } = roleTexts[change]
  const path = `/root-admin/${change}-user-to-rootadmin`
  const answer = await callApi<'promoteUser' | 'demoteUser'>(path, { as: 'admin', body: { username } })
  if (toastIfFailed(answer, failedText)) return false
  void toast(doneText(username), 'success')
  return true
}
