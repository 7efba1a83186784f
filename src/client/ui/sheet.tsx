import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { CloseIcon } from './icons.tsx'
import './sheet.css'

interface SheetProps {
  title: ReactNode
  /** The id of the title's element, unique on the page. */
  titleId: string
  side: 'left' | 'right'
  onClose: () => void
  children: ReactNode
}

/**
 * A modal panel from one side, over the whole screen of a phone. It is open as long as it is rendered; Esc, the
 * button and a press outside call `onClose`. The focus comes in, stays in and goes back by the browser's own doing.
 */
export function Sheet({ title, titleId, side, onClose, children }: SheetProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)

  // In a layout effect, because it has to close while it is still in the page: then the focus goes back.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])

  const closeWhenOutside = (event: MouseEvent): void => {
    if (event.target === dialog.current) onClose()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc is the keyboard's way, and the dialog has it of itself
    <dialog
      ref={dialog}
      className={`sheet sheet--${side}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={closeWhenOutside}
    >
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
