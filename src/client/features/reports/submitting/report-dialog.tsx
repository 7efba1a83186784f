import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { MAX_REPORT_NOTE_LENGTH } from '../../../../shared/reports/limits.ts'
import { type ReportReason, reportReasons } from '../../../../shared/reports/rules.ts'
import {
  NOTE_LABEL,
  NOTE_PLACEHOLDER,
  REASON_LEGEND,
  REASON_MISSING,
  REPORT_CONSEQUENCES,
  REPORT_FAILED_TEXTS,
  REPORT_LABEL,
  REPORT_SECRECY,
  REPORT_TITLES,
} from '../../../../shared/reports/screen-texts.ts'
import { REPORT_REASON_LABELS } from '../../../../shared/reports/texts.ts'
import type { OverlayProps } from '../../../core/shell/overlays/overlays.ts'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { errorTexts, inlineErrors } from '../../../core/ui/forms/inline-errors.ts'
import { NoteField } from '../decisions/note-field.tsx'
import type { ReportTarget } from './report-target.ts'
import '../../../core/ui/forms/field.css'
import './report-dialog.lazy.css'
import { callApi } from '../../../core/http/call-api.ts'
import { toastIfFailed } from '../../../core/http/toast-failure.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'

interface ReportDetails {
  reason: ReportReason
  /** '' without one. */
  note: string
}

/** 'Bildir': why a message, a post, a profile or a call is reported to the root admins, with a note. */
export function ReportDialog({ target, onClose }: OverlayProps & { target: ReportTarget }): ReactNode {
  const [reason, setReason] = useState<ReportReason | null>(null)
  const [note, setNote] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy || reason === null) return
    setBusy(true)
    if (await sendReport(target, { reason, note: note.trim() })) onClose()
    else setBusy(false)
  }
  return (
    <Modal title={REPORT_TITLES[target.kind]} isFullScreen onClose={onClose}>
      <form className="stack gap-5 report-form" {...inlineErrors} onSubmit={submit}>
        <Consequence target={target} />
        <ReasonList chosen={reason} choose={setReason} />
        <NoteField
          label={NOTE_LABEL}
          placeholder={NOTE_PLACEHOLDER}
          text={note}
          maxLength={MAX_REPORT_NOTE_LENGTH}
          onType={setNote}
        />
        <div className="report-actions">
          <button type="button" className="button" onClick={onClose}>
            Vazgeç
          </button>
          <button type="submit" className="button button--danger" aria-disabled={isBusy}>
            {isBusy && <span className="spinner" aria-hidden="true" />}
            {REPORT_LABEL}
          </button>
        </div>
      </form>
    </Modal>
  )
}

function Consequence({ target }: { target: ReportTarget }): ReactNode {
  const preview = 'preview' in target ? target.preview : ''
  return (
    <div className="stack gap-3 soft break">
      <p className="subject">
        <bdi>{target.username}</bdi> {REPORT_CONSEQUENCES[target.kind]} {REPORT_SECRECY}
      </p>
      {preview !== '' && <q dir="auto">{preview}</q>}
    </div>
  )
}

interface ReasonListProps {
  chosen: ReportReason | null
  choose: (reason: ReportReason) => void
}

/** One below the other, so that each is a large target on a phone. None is chosen at first. */
function ReasonList({ chosen, choose }: ReasonListProps): ReactNode {
  const name = useId()
  return (
    <fieldset>
      <legend className="field-label">{REASON_LEGEND}</legend>
      {reportReasons.map((reason) => (
        <label key={reason}>
          <input
            type="radio"
            name={name}
            value={reason}
            checked={reason === chosen}
            required
            {...errorTexts({ missing: REASON_MISSING })}
            onChange={() => choose(reason)}
          />
          {REPORT_REASON_LABELS[reason]}
        </label>
      ))}
    </fieldset>
  )
}

/** Sends a report to the root admins and shows the result in a toast. Returns whether it succeeded. */
async function sendReport(target: ReportTarget, details: ReportDetails): Promise<boolean> {
  const answer = await callReportRoute(target, details)
  if (toastIfFailed(answer, REPORT_FAILED_TEXTS[target.kind])) return false
  void toast(answer.message, 'success')
  return true
}

function callReportRoute(target: ReportTarget, details: ReportDetails) {
  const { username } = target
  const send = <N extends 'reportDirectMessage' | 'reportRoomMessage' | 'reportPost' | 'reportProfile' | 'reportCall'>(
    path: string,
    fields: object,
  ) => callApi<N>(path, { as: 'user', body: { ...fields, ...details } })
  switch (target.kind) {
    case 'directMessage': {
      const { messageId, recipientUsername } = target
      return send<'reportDirectMessage'>('/dm/report', { messageId, senderUsername: username, recipientUsername })
    }
    case 'roomMessage':
      return send<'reportRoomMessage'>('/rooms/report', { messageId: target.messageId, roomId: target.roomId })
    case 'post':
      return send<'reportPost'>('/posts/report', { postId: target.postId })
    case 'profile':
      return send<'reportProfile'>('/users/report', { username, userId: target.userId })
    case 'call':
      return send<'reportCall'>('/calls/report', { callId: target.callId, username })
  }
}
