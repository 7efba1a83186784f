import { type ReactNode, useDeferredValue } from 'react'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { closePanel } from './panel-state.ts'
import '../../ui/panel.css'
import './side-panel.css'

interface SidePanelProps {
  title: ReactNode
  titleId: string
  /** Beside the thread; otherwise a sheet. */
  isWide: boolean
  isOpen: boolean
  children: ReactNode
}

/** A side panel. Beside the thread a closed one is hidden by CSS only, as the server does not know the width. */
export function SidePanel({ title, titleId, isWide, isOpen, children }: SidePanelProps): ReactNode {
  if (!isWide && isOpen) {
    return (
      <PanelSheet title={title} titleId={titleId}>
        {children}
      </PanelSheet>
    )
  }
  return (
    <aside className="side-panel" data-open={isOpen} aria-labelledby={titleId}>
      <header className="panel-head">
        <h2 id={titleId} className="panel-title">
          {title}
        </h2>
      </header>
      {children}
    </aside>
  )
}

/** A panel of a small screen. Its content follows the frame that opens it, which makes the rest of the page inert. */
function PanelSheet({ title, titleId, children }: Omit<SidePanelProps, 'isWide' | 'isOpen'>): ReactNode {
  const isOpened = useDeferredValue(true, false)
  return (
    <Sheet title={title} titleId={titleId} side="opener" onClose={closePanel}>
      {isOpened && children}
    </Sheet>
  )
}
