import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useCloseOnBack } from '../../core/navigation/use-close-on-back.ts'
import { type PanelChange, panelState } from '../../core/shell/panels/panel-state.ts'
import { openModals } from '../../core/ui/dialogs/open-modals.ts'
import { useFrameQuery } from '../../core/ui/dialogs/use-frame-query.ts'
import { useModal } from '../../core/ui/dialogs/use-modal.ts'
import { WIDE_SCREEN_QUERY } from '../../core/ui/use-media-query.ts'
import '../../core/ui/dialogs/sheet.later.css'

interface ProfileFrameProps {
  titleId: string
  /** The path of the page with the profile open. */
  path: string
  onClose: () => void
  children: ReactNode
}

/** In the place of the side panel on a wide screen, where the page stays usable; else, and above a modal, a modal sheet. */
export function ProfileFrame(props: ProfileFrameProps): ReactNode {
  const isWide = useFrameQuery(WIDE_SCREEN_QUERY, true)
  const [isAboveModal] = useState(() => openModals.peek().length > 0)
  return isWide && !isAboveModal ? <DockedFrame {...props} /> : <SheetFrame {...props} />
}

function SheetFrame({ titleId, path, onClose, children }: ProfileFrameProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog, onClose, onClose, path)
  return (
    <dialog ref={dialog} className="sheet sheet--right profile-sheet" data-profile aria-labelledby={titleId}>
      <div className="sheet-body">{children}</div>
    </dialog>
  )
}

function DockedFrame({ titleId, path, onClose, children }: ProfileFrameProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  // A layout effect: the focus returns only if the dialog closes while it is still in the page.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.show()
    return () => current?.close()
  }, [])
  useCloseOnBack(onClose, true, path)
  useEffect(keepCoveredPanel, [])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || openModals.peek().length > 0) return
      const { activeElement } = document
      // The focus of a button that is gone, such as 'Engelle', is in the main part.
      if (activeElement?.matches('body, main') || dialog.current?.contains(activeElement)) onClose()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onClose])
  return (
    <dialog ref={dialog} className="profile-docked" data-profile data-beside-room aria-labelledby={titleId}>
      {children}
    </dialog>
  )
}

/** A click on the button of the covered panel uncovers it, as the profile closes, instead of closing both. */
function keepCoveredPanel(): () => void {
  const covered = panelState.peek()
  const onChange = (event: Event): void => {
    const { detail } = event as CustomEvent<PanelChange> // what panel-state.ts sends
    if (detail.panel === 'none') panelState.value = covered
  }
  document.addEventListener('panelChange', onChange)
  return () => document.removeEventListener('panelChange', onChange)
}
