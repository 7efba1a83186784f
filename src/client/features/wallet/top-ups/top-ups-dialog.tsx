import type { ReactNode } from 'react'
import { isFailure } from '../../../../shared/protocol/result.ts'
import { TOP_UPS_NOT_LOADED, TOP_UPS_TITLE } from '../../../../shared/wallet/top-ups/texts.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { failureText } from '../../../core/http/failure-text.ts'
import { pageQuery } from '../../../core/http/page-query.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import type { RequestEventName, RequestSource } from '../requests/request-list.ts'
import { RequestsDialog } from '../requests/requests-dialog.tsx'

const events: readonly RequestEventName[] = ['starRequestCreated', 'starRequestApproved', 'starRequestRejected']

const source: RequestSource = {
  failureText: (failure) => failureText(failure, TOP_UPS_NOT_LOADED),
  fetchPage: async (before) => {
    const answer = await callApi<'ownStarRequests'>(`/star-requests/user${pageQuery(before)}`, { as: 'user' })
    return isFailure(answer) ? answer : { items: answer.starRequests, next: answer.next }
  },
}

/** 'Yüklemeler': the viewer's loads of balance. */
export function TopUpsDialog({ onClose }: OverlayProps): ReactNode {
  const empty = 'Henüz yükleme talebin yok.'
  return <RequestsDialog title={TOP_UPS_TITLE} source={source} events={events} empty={empty} onClose={onClose} />
}
