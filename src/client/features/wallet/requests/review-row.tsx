import type { ReactNode } from 'react'
import { formatLira } from '../../../../shared/wallet/ledger.ts'
import type { ReviewedRequest } from '../../../../shared/wallet/requests/protocol.ts'
import { decisionLabels, requestKindLabels } from '../../../../shared/wallet/requests/texts.ts'
import { formatIban } from '../../../../shared/wallet/withdrawals/iban.ts'
import { copyText } from '../../../core/shell/copy-text.ts'
import { openOverlay } from '../../../core/shell/overlays/overlays.ts'
import { clockTime, dateText } from '../../../core/ui/format/turkish-time.ts'
import { Avatar } from '../../../core/ui/person/avatar.tsx'
import { RequestState } from './requests-dialog.tsx'

/** A request with its sender, the account, and the buttons while it is pending. */
export function ReviewRow({ request }: { request: ReviewedRequest }): ReactNode {
  const { id, kind, userId, username, avatarUrl, gender, amount, status } = request
  return (
    <li className="review">
      <button type="button" className="row-button semibold break" data-person={username} aria-haspopup="dialog">
        <Avatar user={{ id: userId, avatarUrl, gender, isGuest: false }} size={40} />
        <bdi>{username}</bdi>
      </button>
      <p>
        <b>{formatLira(amount)}</b>
        <span className="soft">
          {requestKindLabels[kind]} #{id}
        </span>
      </p>
      <Account request={request} />
      <Times request={request} />
      <div className="review-end">
        {status === 'pending' ? <Buttons request={request} /> : <RequestState status={status} />}
      </div>
    </li>
  )
}

function Account({ request: { accountName, iban } }: { request: ReviewedRequest }): ReactNode {
  return (
    <div className="review-account">
      <span>
        <bdi>{accountName}</bdi>
        <CopyButton text={accountName} label="Adı kopyala" />
      </span>
      {iban !== null && (
        <span className="tabular">
          {formatIban(iban)}
          <CopyButton text={iban} label="IBAN'ı kopyala" />
        </span>
      )}
    </div>
  )
}

function CopyButton({ text, label }: { text: string; label: string }): ReactNode {
  return (
    <button type="button" className="link-button" aria-label={label} onClick={() => void copyText(text)}>
      Kopyala
    </button>
  )
}

function Times({ request: { createdAt, decidedAt, decidedBy } }: { request: ReviewedRequest }): ReactNode {
  return (
    <div className="review-times">
      <time dateTime={new Date(createdAt).toISOString()}>{timeText(createdAt)}</time>
      {decidedAt !== null && (
        <span>
          <bdi>{decidedBy}</bdi> · <time dateTime={new Date(decidedAt).toISOString()}>{timeText(decidedAt)}</time>
        </span>
      )}
    </div>
  )
}

function timeText(at: number): string {
  return `${dateText(at)} ${clockTime(at)}`
}

function Buttons({ request }: { request: ReviewedRequest }): ReactNode {
  return (
    <>
      <button
        type="button"
        className="button button--accent button--compact"
        aria-haspopup="dialog"
        onClick={() => void openOverlay('requestDecision', { request, decision: 'approved' })}
      >
        {decisionLabels.approved}
      </button>
      <button
        type="button"
        className="button button--compact"
        aria-haspopup="dialog"
        onClick={() => void openOverlay('requestDecision', { request, decision: 'rejected' })}
      >
        {decisionLabels.rejected}
      </button>
    </>
  )
}
