import type { ReactNode } from 'react'
import { TOP_UPS_NOT_LOADED, TOP_UPS_TITLE } from '../../../../shared/wallet/top-ups/texts.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { failureText } from '../../../core/http/failure-text.ts'
import { isFailure } from '../../../core/http/is-failure.ts'
import { pageQuery } from '../../../core/http/page-query.ts'
import { live } from '../../../core/live/state.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import type { RequestSource } from '../requests/request-list.ts'
import { RequestsDialog } from '../requests/requests-dialog.tsx'

const source: RequestSource = {
  live,
  fetchPage: async (before) => {
    const answer = await callApi<'ownStarRequests'>(`/star-requests/user${pageQuery(before)}`, { as: 'user' })
    if (isFailure(answer)) return failureText(answer, TOP_UPS_NOT_LOADED)
    return { items: answer.starRequests, next: answer.next }
  },
  events: ['starRequestCreated', 'starRequestApproved', 'starRequestRejected'],
}

/** 'Yüklemeler': the viewer's loads of balance. */
export function TopUpsDialog({ onClose }: OverlayProps): ReactNode {
  return <RequestsDialog title={TOP_UPS_TITLE} source={source} empty="Henüz yükleme talebin yok." onClose={onClose} />
}
