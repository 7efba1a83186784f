import type { ReactNode } from 'react'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import type { ReviewedRequest } from '../../../../shared/wallet/requests/protocol.ts'
import type { RequestDecision } from '../../../../shared/wallet/requests/request.ts'
import { decisionLabels, requestKindLabels } from '../../../../shared/wallet/requests/texts.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { ConfirmDialog } from '../../../core/ui/dialogs/confirm-dialog.tsx'
import { decideRequest } from '../../../model/wallet/decide-request.ts'

interface DecisionDialogProps extends OverlayProps {
  request: ReviewedRequest
  decision: RequestDecision
}

/** Asks before a request is approved or rejected. */
export function DecisionDialog({ request, decision, onClose }: DecisionDialogProps): ReactNode {
  const { kind, id, username, amount } = request
  return (
    <ConfirmDialog
      title={`${requestKindLabels[kind]} #${id}`}
      confirmLabel={decisionLabels[decision]}
      isDestructive={decision === 'rejected'}
      run={() => decideRequest(request, decision)}
      onClose={onClose}
    >
      <bdi>{username}</bdi>, {formatLira(amount)}. {consequence(kind, decision)} Bu karar geri alınamaz.
    </ConfirmDialog>
  )
}

function consequence(kind: ReviewedRequest['kind'], decision: RequestDecision): string {
  if (kind === 'withdrawal')
    return decision === 'approved'
      ? 'Onaylamadan önce parayı hesaba gönder; tutar bakiyeden kesin olarak düşer.'
      : 'Tutar kullanıcının bakiyesine geri döner.'
  return decision === 'approved'
    ? 'Paranın hesabına geldiğinden emin ol; tutar kullanıcının bakiyesine eklenir.'
    : 'Kullanıcının bakiyesi değişmez.'
}
