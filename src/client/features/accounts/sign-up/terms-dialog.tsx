import type { ReactNode } from 'react'
import { Modal } from '../../../core/ui/dialogs/modal.tsx'
import { TermsText } from './terms-text.tsx'
import './terms-text.css'
import './terms-dialog.css'

interface TermsDialogProps {
  onClose: () => void
  onConfirm: () => void
}

/** 'Kullanım Sözleşmesi' above the sign-up dialog; confirming it accepts the terms. */
export function TermsDialog({ onClose, onConfirm }: TermsDialogProps): ReactNode {
  return (
    <Modal title="Kullanım Sözleşmesi" isFullScreen={true} onClose={onClose}>
      <TermsText />
      <div className="terms-actions">
        <button type="button" className="button" onClick={onClose}>
          Vazgeç
        </button>
        <button type="button" className="button button--accent" onClick={onConfirm}>
          Okudum, onaylıyorum
        </button>
      </div>
    </Modal>
  )
}
