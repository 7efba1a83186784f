import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { browserEnvironment } from '../live/environment.ts'
import { AlertIcon, CheckIcon, CloseIcon } from '../ui/icons.tsx'
import { InfoIcon } from '../ui/later-icons.tsx'
import { useSignal } from '../use-signal.ts'
import { renderBeside } from './beside.ts'
import type { ToastKind } from './toast.ts'
import { type Toast, ToastQueue } from './toast-queue.ts'
import './toasts.css'

const queue = new ToastQueue(browserEnvironment)
const none: readonly Toast[] = []

/** Says something for a moment. */
export function showToast(text: string, kind: ToastKind): void {
  queue.add(text, kind)
}

function Toasts(): ReactNode {
  const shown = useSignal(queue.shown, none)
  const place = useRef<HTMLDivElement>(null)
  // What came to the top layer last lies on top there: over sheets and windows.
  useLayoutEffect(() => {
    const { current } = place
    if (!current || !('popover' in current)) return
    current.hidePopover()
    if (shown.length > 0) current.showPopover()
  }, [shown])

  return (
    <div ref={place} className="toasts" popover="manual">
      {shown.map((toast) => (
        <ToastCard key={toast.key} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast: { key, text, kind } }: { toast: Toast }): ReactNode {
  return (
    <div
      className={`toast toast--${kind}`}
      role={kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={() => queue.hold(key)}
      onPointerLeave={() => queue.letGo(key)}
    >
      <Sign kind={kind} />
      <p>{text}</p>
      <button type="button" className="icon-button" aria-label="Kapat" onClick={() => queue.close(key)}>
        <CloseIcon size={16} />
      </button>
    </div>
  )
}

function Sign({ kind }: { kind: ToastKind }): ReactNode {
  if (kind === 'success') return <CheckIcon />
  return kind === 'info' ? <InfoIcon /> : <AlertIcon />
}

renderBeside('toasts', <Toasts />)
