import { type ReactNode, useRef } from 'react'
import { CloseIcon } from '../lazy-icons.tsx'
import { useModal } from './use-modal.ts'
import '../panel.css'
import './sheet.later.css'

interface SheetProps {
  title: ReactNode
  /** The id of the title's element, unique on the page. */
  titleId: string
  /** `whole`: from the left on a phone, the whole screen on wider ones. `drawer`: on the right, the whole screen below 768 px. */
  side: 'left' | 'right' | 'bottom' | 'whole' | 'drawer'
  onClose: () => void
  children: ReactNode
}

/** A modal sheet from one side of the screen. It is open as long as it is rendered. */
export function Sheet({ title, titleId, side, onClose, children }: SheetProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog, onClose)
  return (
    <dialog ref={dialog} className={`sheet sheet--${side}`} aria-labelledby={titleId}>
      <div className="sheet-body">
        <header className="panel-head">
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
