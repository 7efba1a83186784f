import { type ReactNode, useRef, useState } from 'react'
import { CloseIcon } from '../lazy-icons.tsx'
import { closeAfterFrame, useModal } from './use-modal.ts'
import '../panel.css'
import './sheet.lazy.css'

interface SheetProps {
  title: ReactNode
  /** The id of the title's element, unique on the page. */
  titleId: string
  /** `opener`: the half of the screen with the control that opens it. `drawer`: on the right, the whole screen below 768 px. */
  side: 'opener' | 'bottom' | 'whole' | 'drawer'
  /** Whether it looks like a page of its own. */
  isPage?: boolean
  onClose: () => void
  children: ReactNode
}

/** A modal sheet from one side of the screen. It is open as long as it is rendered. */
export function Sheet({ title, titleId, side, isPage = false, onClose, children }: SheetProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const [from] = useState(() => (side === 'opener' ? sideOfOpener() : side))
  useModal(dialog, onClose)
  return (
    <dialog ref={dialog} className={`sheet sheet--${from}${isPage ? ' sheet--page' : ''}`} aria-labelledby={titleId}>
      <div className="sheet-body">
        <header className="panel-head">
          <h2 id={titleId} className="panel-title">
            {title}
          </h2>
          <button
            type="button"
            className="icon-button"
            aria-label="Kapat"
            onClick={() => closeAfterFrame(dialog.current, onClose)}
          >
            <CloseIcon />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** The opener has the focus; Safari does not give it to a button that is touched. */
function sideOfOpener(): 'left' | 'right' {
  const { activeElement } = document
  if (!activeElement || activeElement.matches('body, main')) return 'right'
  const { left, right } = activeElement.getBoundingClientRect()
  return left + right < innerWidth ? 'left' : 'right'
}
