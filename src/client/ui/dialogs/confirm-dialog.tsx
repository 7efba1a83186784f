import { type ReactNode, useState } from 'react'
import { Modal } from './modal.tsx'
import './confirm-dialog.css'

interface ConfirmDialogProps {
  title: string
  /** The word on the button that does it. */
  confirmLabel: string
  /** It takes something from somebody. */
  isDestructive?: boolean
  /** Does it, and says how that went. Answers whether it is done: then the window closes. */
  run: () => Promise<boolean>
  onClose: () => void
  /** What it comes to. */
  children: ReactNode
}

/** Asks before something is done to others, or cannot be taken back. */
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
      <div className="confirm">
        <p className="confirm-text">{children}</p>
        <div className="confirm-actions">
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
