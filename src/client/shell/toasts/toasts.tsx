import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react'
import { browserEnvironment } from '../../live/environment.ts'
import { openModals } from '../../ui/dialogs/open-modals.ts'
import { AlertIcon, CheckIcon } from '../../ui/icons.tsx'
import { CloseIcon, InfoIcon } from '../../ui/lazy-icons.tsx'
import { mountPortal } from '../../ui/mount-portal.ts'
import { useSignalValue } from '../../use-signal-value.ts'
import type { ToastKind } from './toast.ts'
import { type Toast, ToastQueue } from './toast-queue.ts'
import './toasts.css'

const queue = new ToastQueue(browserEnvironment)
const noToasts: readonly Toast[] = []

/** Says something for a moment. */
export function showToast(text: string, kind: ToastKind): void {
  queue.add(text, kind)
}

function Toasts(): ReactNode {
  const shown = useSignalValue(queue.visible, noToasts)
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => openModals.subscribe(() => moveToTopLayer(place.current)), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: when others are shown
  useLayoutEffect(() => moveToTopLayer(place.current), [shown])

  return (
    <div ref={place} className="toasts" popover="manual">
      {shown.map((toast) => (
        <ToastCard key={toast.key} toast={toast} />
      ))}
    </div>
  )
}

/** Into the window that lies on top, outside of which all is inert. What came to the top layer last lies on top there. */
function moveToTopLayer(place: HTMLElement | null): void {
  const root = place?.parentElement
  if (!root) return
  const around = openModals.peek().findLast(({ isConnected }) => isConnected) ?? document.body
  if (root.parentElement !== around) around.append(root)
  // Shown again, it would take the focus from who holds a toast.
  else if (root.contains(document.activeElement)) return
  if (!('popover' in place)) return
  place.hidePopover()
  if (place.hasChildNodes()) place.showPopover()
}

function ToastCard({ toast: { key, text, kind } }: { toast: Toast }): ReactNode {
  const hold = (): void => queue.pause(key)
  const letGo = ({ currentTarget }: SyntheticEvent<HTMLElement>): void => {
    if (!currentTarget.matches(':hover, :focus-within')) queue.resume(key)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays while somebody is on it
    <div
      className={`toast toast--${kind}`}
      role={kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={hold}
      onPointerLeave={letGo}
      onFocus={hold}
      onBlur={letGo}
    >
      <ToastIcon kind={kind} />
      <p>{text}</p>
      <button type="button" className="icon-button" aria-label="Kapat" onClick={() => queue.close(key)}>
        <CloseIcon size={16} />
      </button>
    </div>
  )
}

function ToastIcon({ kind }: { kind: ToastKind }): ReactNode {
  if (kind === 'success') return <CheckIcon />
  return kind === 'info' ? <InfoIcon /> : <AlertIcon />
}

mountPortal('toasts', <Toasts />)
