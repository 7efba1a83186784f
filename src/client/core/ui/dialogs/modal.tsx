import { type ReactNode, useId, useRef } from 'react'
import { ArrowIcon, CloseIcon } from '../lazy-icons.tsx'
import { useModal } from './use-modal.ts'
import './modal.css'

interface ModalProps {
  title: ReactNode
  /** `back` for a modal above the overlay that opened it. */
  dismissIcon?: 'close' | 'back'
  /** On a phone, covers the whole screen; for long forms and texts. */
  isFullScreen?: boolean
  onClose: () => void
  /** A click outside; `onClose` without it. */
  onPressOutside?: () => void
  children: ReactNode
}

/** A modal dialog in the centre, or at the bottom of a phone's screen. It is open as long as it is rendered. */
export function Modal({
  title,
  dismissIcon = 'close',
  isFullScreen = false,
  onClose,
  onPressOutside = onClose,
  children,
}: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useModal(dialog, onClose, onPressOutside)
  return (
    <dialog ref={dialog} className={isFullScreen ? 'modal modal--full-screen' : 'modal'} aria-labelledby={titleId}>
      <div className="modal-body">
        <header className={`modal-head modal-head--${dismissIcon}`}>
          <h2 id={titleId} className="panel-title">
            {title}
          </h2>
          <button
            type="button"
            className="icon-button"
            aria-label={dismissIcon === 'back' ? 'Geri' : 'Kapat'}
            onClick={onClose}
          >
            {dismissIcon === 'back' ? <ArrowIcon /> : <CloseIcon />}
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
