import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { openModal } from './open-modals.ts'

interface AlertDialogProps {
  className: string
  /** Of its title with the suffix `title`, and of its text with `text`. */
  id: string
  /** What gets the focus; without it the first button. */
  focused?: RefObject<HTMLElement | null>
  children: ReactNode
}

/** Modal; neither Esc nor a click outside closes it. */
export function AlertDialog({ className, id, focused, children }: AlertDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    if (!dialog.current) return
    const close = openModal(dialog.current)
    focused?.current?.focus()
    return close
  }, [focused])
  // A browser that does not know `closedby` closes it at a second Esc, though the first was cancelled.
  const openAgain = (): void => dialog.current?.showModal()
  return (
    <dialog
      ref={dialog}
      className={className}
      role="alertdialog"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      onClose={openAgain}
    >
      {children}
    </dialog>
  )
}
