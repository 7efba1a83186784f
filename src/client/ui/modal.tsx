import { type ReactNode, useId, useRef } from 'react'
import { CloseIcon } from './later-icons.tsx'
import { useModal } from './use-modal.ts'
import './modal.css'

interface ModalProps {
  title: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A modal window in the middle, at the bottom of a phone's screen. It is open as long as it is rendered. */
export function Modal({ title, onClose, children }: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useModal(dialog, onClose)
  return (
    <dialog ref={dialog} className="modal" aria-labelledby={titleId}>
      <div className="modal-body">
        <header className="modal-head">
          <h2 id={titleId} className="panel-title">
            {title}
          </h2>
          <button type="button" className="icon-button" aria-label="Kapat" onClick={onClose}>
            <CloseIcon />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
