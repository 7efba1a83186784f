import { type ReactNode, useState } from 'react'
import { Modal } from './modal.tsx'

interface ConfirmDialogProps {
  title: string
  /** The label of the confirming button. */
  confirmLabel: string
  /** Whether the button looks dangerous. */
  isDestructive?: boolean
  /** Runs the action and reports the result. Returns whether it succeeded: then the dialog closes. */
  run: () => Promise<boolean>
  onClose: () => void
  /** The consequences, as text. */
  children: ReactNode
}

/** Asks before an action that affects others or cannot be undone. */
export function ConfirmDialog({
  title,
  confirmLabel,
  isDestructive = true,
  run,
  onClose,
  children,
}: ConfirmDialogProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const confirm = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    if (await run()) onClose()
    else setBusy(false)
  }
  return (
    <Modal title={title} onClose={onClose}>
      <div className="stack gap-5">
        <p className="subject">{children}</p>
        <div className="buttons">
          <button type="button" className="button" onClick={onClose}>
            Vazgeç
          </button>
          <button
            type="button"
            className={isDestructive ? 'button button--danger' : 'button button--accent'}
            aria-disabled={isBusy}
            onClick={confirm}
          >
            {isBusy && <span className="spinner" />}
            {confirmLabel}
          </button>
        </div>
      </div>
    </Modal>
  )
}
