import { type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react'
import { browserEnvironment } from '../../platform/environment.ts'
import { useSignalValue } from '../../signals/use-signal-value.ts'
import { openModals } from '../../ui/dialogs/open-modals.ts'
import { AlertIcon, CheckIcon } from '../../ui/icons.tsx'
import { CloseIcon, InfoIcon } from '../../ui/lazy-icons.tsx'
import { mountPortal } from '../../ui/mount-portal.ts'
import { moveToTopLayer } from '../../ui/top-layer.ts'
import { placeToasts } from './place-toasts.ts'
import type { LinkToast, ToastKind } from './toast.ts'
import { type Toast, ToastQueue } from './toast-queue.ts'
import './toasts.css'

const queue = new ToastQueue(browserEnvironment)
const noToasts: readonly Toast[] = []

/** Adds a toast to the queue. */
export function showToast(text: string, kind: ToastKind): void {
  queue.add(text, kind)
}

/** Sets the toast that is a link. */
export function showLink(link: LinkToast | null): void {
  queue.setLink(link)
}

function Toasts(): ReactNode {
  const shown = useSignalValue(queue.visible, noToasts)
  const popover = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const place = (): void => {
      if (!popover.current?.matches(':hover')) placeToasts(popover.current)
    }
    // A sheet slides in: its title comes to its place later.
    document.addEventListener('animationend', place)
    window.addEventListener('resize', place)
    const unsubscribe = openModals.subscribe(() => showInFront(popover.current))
    return () => {
      document.removeEventListener('animationend', place)
      window.removeEventListener('resize', place)
      unsubscribe()
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when other toasts are shown
  useLayoutEffect(() => showInFront(popover.current), [shown])

  return (
    <div ref={popover} className="toasts" popover="manual">
      {shown.map((toast) =>
        toast.link ? (
          <LinkToastCard key={toast.key} link={toast.link} close={() => queue.close(toast.key)} />
        ) : (
          <ToastCard key={toast.key} toast={toast} />
        ),
      )}
    </div>
  )
}

/** A toast under the pointer keeps its place: it would leave the pointer, and close. */
function showInFront(popover: HTMLElement | null): void {
  // Before the move, after which nothing is hovered until the browser looks again.
  const isHovered = popover?.matches(':hover') ?? false
  moveToTopLayer(popover)
  if (!isHovered) placeToasts(popover)
}

function ToastCard({ toast: { key, text, kind } }: { toast: Toast }): ReactNode {
  const pause = (): void => queue.pause(key)
  const resume = ({ currentTarget }: SyntheticEvent<HTMLElement>): void => {
    if (!currentTarget.matches(':hover, :focus-within')) queue.resume(key)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering and focus only keep it open
    <div
      className={`toast toast--${kind}`}
      role={kind === 'error' ? 'alert' : 'status'}
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
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

/** A toast that is a link, with a button that dismisses it. */
function LinkToastCard({ link, close }: { link: LinkToast; close: () => void }): ReactNode {
  const finish = (): void => {
    close()
    link.onClose()
  }
  return (
    <div className="toast toast--link" role="status">
      {/* Later: the browser does not follow a link that is gone. */}
      <a href={link.href} onClick={() => setTimeout(finish)}>
        <b>
          <bdi>{link.title}</bdi>
        </b>
        <span>{link.text}</span>
        {link.note !== '' && <small>{link.note}</small>}
      </a>
      <button type="button" className="icon-button" aria-label={link.dismissLabel} onClick={finish}>
        <CloseIcon size={16} />
      </button>
    </div>
  )
}
