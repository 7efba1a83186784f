import { type ReactNode, useId, useRef, useState } from 'react'
import { isFailure } from '../../../shared/protocol/result.ts'
import type { Warning } from '../../../shared/sanctions/protocol.ts'
import { CONFIRM_WARNING_LABEL, WARNING_NOT_CONFIRMED, WARNING_TITLE } from '../../../shared/sanctions/texts.ts'
import { live } from '../../core/live/state.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { AlertDialog } from '../../core/ui/dialogs/alert-dialog.tsx'
import { AlertIcon } from '../../core/ui/icons.tsx'
import { mountPortal } from '../../core/ui/mount-portal.ts'
import { ownSanctions } from '../../model/sanctions/own-sanctions.ts'
import './warning-popup.lazy.css'

const noWarnings: readonly Warning[] = []

/** The viewer's warnings, one at a time, until each is confirmed. */
function WarningPopup(): ReactNode {
  const warnings = useSignalValue(ownSanctions.warnings, noWarnings)
  const [first] = warnings
  return first ? <WarningDialog key={first.id} warning={first} count={warnings.length} /> : null
}

function WarningDialog({ warning, count }: { warning: Warning; count: number }): ReactNode {
  const text = useRef<HTMLParagraphElement>(null)
  const id = useId()
  const { isBusy, failure, confirm } = useConfirmation(warning)
  return (
    // The text has the focus, not the button: a key that was meant for the composer must not confirm.
    <AlertDialog className="warning-popup" id={id} focused={text}>
      <span>
        <AlertIcon size={32} />
      </span>
      <h2 id={`${id}title`}>
        {WARNING_TITLE}
        {count > 1 && <span> (1/{count})</span>}
      </h2>
      <p id={`${id}text`} ref={text} dir="auto" tabIndex={-1}>
        {warning.text}
      </p>
      <p className="field-error" role="alert">
        {failure}
      </p>
      <button
        type="button"
        className="button button--accent button--large wide"
        aria-disabled={isBusy}
        onClick={confirm}
      >
        {isBusy && <span className="spinner" />}
        {CONFIRM_WARNING_LABEL}
      </button>
    </AlertDialog>
  )
}

/** Confirms the warning; a click without an answer may be repeated under the same key. */
function useConfirmation({ id }: Warning) {
  const [clientId] = useState(() => crypto.randomUUID())
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const confirm = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    const answer = await live.request('confirmWarning', { warningId: id, clientId })
    if (!isFailure(answer)) return ownSanctions.closeWarning(id)
    setFailure(WARNING_NOT_CONFIRMED)
    setBusy(false)
  }
  return { isBusy, failure, confirm: () => void confirm() }
}

mountPortal('warnings', <WarningPopup />)
