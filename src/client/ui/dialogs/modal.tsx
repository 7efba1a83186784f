import { type ReactNode, useId, useRef } from 'react'
import { ArrowIcon, CloseIcon } from '../lazy-icons.tsx'
import { useModal } from './use-modal.ts'
import './modal.css'

interface ModalProps {
  title: ReactNode
  /** The way out: `back` where it lies over what it was opened from and has a way back, as a page has. */
  dismissIcon?: 'close' | 'back'
  /** Over the whole screen of a phone: there is much to fill in or to read. */
  isFullScreen?: boolean
  onClose: () => void
  children: ReactNode
}

/** A modal window in the middle, at the bottom of a phone's screen. It is open as long as it is rendered. */
export function Modal({
  title,
  dismissIcon = 'close',
  isFullScreen = false,
  onClose,
  children,
}: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useModal(dialog, onClose)
  return (
    <dialog ref={dialog} className={isFullScreen ? 'modal modal--whole' : 'modal'} aria-labelledby={titleId}>
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
