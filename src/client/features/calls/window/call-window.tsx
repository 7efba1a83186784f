import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { openModals } from '../../../core/ui/dialogs/open-modals.ts'
import { mountPortal } from '../../../core/ui/mount-portal.ts'
import { moveToTopLayer } from '../../../core/ui/top-layer.ts'
import { useMediaQuery } from '../../../core/ui/use-media-query.ts'
import {
  arrowStep,
  FULL_SCREEN_QUERY,
  moveInside,
  type Size,
  viewportSize,
  type WindowRect,
} from '../../../core/ui/windows/floating-rect.ts'
import { startCallEffects } from '../call-effects.ts'
import { call } from '../call-store.ts'
import { isCallEnlarged, isCallMinimised, resizeBox, restoreBoxRect, storeBoxRect } from './call-window-state.ts'
import './call-window.lazy.css'
import { callTexts, callTypeNames } from '../../../../shared/calls/window-texts.ts'
import { useModal } from '../../../core/ui/dialogs/use-modal.ts'
import { ChevronIcon } from '../../../core/ui/lazy-icons.tsx'
import { Avatar } from '../../../core/ui/person/avatar.tsx'
import { closeCall } from '../call-actions.ts'
import { type Call, isOpen } from '../call-state.ts'
import { remoteName, remoteNameInText, statusText } from '../call-status.ts'
import { AcceptButton, DeclineButton, HangUpButton, MicrophoneButton } from './call-buttons.tsx'
import { CallDuration } from './call-duration.tsx'
import { CallView } from './call-view.tsx'
import { RemoteMedia } from './remote-media.tsx'
import { useCallFocus } from './use-call-focus.ts'
import './call-bar.lazy.css'
import { useDraggedRect } from '../../../core/ui/windows/use-dragged-rect.ts'
import { EnlargeIcon, GripIcon, ShrinkIcon } from '../../../model/calls/icons.tsx'

/** With Shift, an arrow key moves the box by so many steps. */
const SHIFT_STEPS = 5

const restore = (): void => {
  isCallMinimised.value = false
}

const minimise = (): void => {
  isCallMinimised.value = true
}

/** The call of a phone covers the screen. */
function CallScreen(): ReactNode {
  const present = useSignalValue(call, null)
  const isMinimised = useSignalValue(isCallMinimised, false)
  const isFullScreen = useMediaQuery(FULL_SCREEN_QUERY, false)
  return present && isFullScreen && !isMinimised && <FullScreenCall call={present} />
}

/** The box of a desktop, or the bar of a minimised call, above everything else. */
function CallLayer(): ReactNode {
  const present = useSignalValue(call, null)
  const isMinimised = useSignalValue(isCallMinimised, false)
  const isFullScreen = useMediaQuery(FULL_SCREEN_QUERY, false)
  const layer = useRef<HTMLDivElement>(null)
  const content = present && (isFullScreen ? isMinimised && 'bar' : 'box')
  useLayoutEffect(() => openModals.subscribe(() => moveToTopLayer(layer.current)), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when other content is shown
  useLayoutEffect(() => moveToTopLayer(layer.current), [content])
  return (
    <div ref={layer} className="call-layer" popover="manual">
      {present && content === 'bar' && <CallBar call={present} />}
      {present && content === 'box' && <CallBox call={present} />}
    </div>
  )
}

let hasCall = false
// Each call begins unfolded.
call.subscribe((present) => {
  if (present && !hasCall) {
    isCallMinimised.value = false
    isCallEnlarged.value = false
  }
  hasCall = present !== null
})
startCallEffects()
mountPortal('call-layer', <CallLayer />)
mountPortal('call-screen', <CallScreen />)

/** The call of a phone. Esc and Back make it a bar and never end it. */
function FullScreenCall({ call }: { call: Call }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOver = !isOpen(call)
  useModal(dialog, isOver ? closeCall : minimise, () => {})
  // Not a button: a key that is on its way must not accept or decline.
  useLayoutEffect(() => dialog.current?.focus(), [])
  return (
    <dialog
      ref={dialog}
      className="call-screen"
      {...(call.phase === 'incoming' && { role: 'alertdialog' })}
      aria-label={callTypeNames[call.callType]}
      aria-describedby="call-name call-status"
      tabIndex={-1}
    >
      <CallView call={call} frame="screen" sizeButton={null}>
        {!isOver && (
          <button type="button" className="icon-button" aria-label={callTexts.minimise} onClick={minimise}>
            <ChevronIcon size={24} />
          </button>
        )}
      </CallView>
    </dialog>
  )
}

/** A minimised call: a bar below the page's header that leads back to it. */
function CallBar({ call }: { call: Call }): ReactNode {
  const bar = useRef<HTMLElement>(null)
  useCallFocus(bar)
  return (
    <section ref={bar} className="call-bar" aria-label={callTypeNames[call.callType]} tabIndex={-1}>
      <RemoteMedia stream={call.remoteStream} isShown={false} />
      <button type="button" className="row-button grow" aria-describedby="call-status" onClick={restore}>
        {call.other && <Avatar user={call.other} size={32} />}
        <span>
          <b className="truncate bold">
            <bdi>{remoteName(call)}</bdi>
          </b>
          <span className="visually-hidden">{`: ${callTexts.restore}`}</span>
          <span className="truncate good small">
            {call.phase === 'connected' ? <CallDuration since={call.connectedAt} /> : statusText(call)}
          </span>
        </span>
      </button>
      <p id="call-status" className="visually-hidden" role="status">
        {statusText(call)}
      </p>
      <BarButtons call={call} />
    </section>
  )
}

function BarButtons({ call }: { call: Call }): ReactNode {
  switch (call.phase) {
    case 'incoming':
      return (
        <>
          <DeclineButton />
          <AcceptButton />
        </>
      )
    case 'declined':
    case 'ended':
      return null
    default:
      return (
        <>
          <MicrophoneButton isOn={call.isMicrophoneOn} />
          <HangUpButton />
        </>
      )
  }
}

/** The call of a desktop: a box that is dragged, or moved with the arrow keys, and never leaves the viewport. */
function CallBox({ call }: { call: Call }): ReactNode {
  const box = useRef<HTMLElement>(null)
  const { rect, drag, moveByKey } = useBoxPlace(box)
  const wasTyping = useCallFocus(box)
  const startMove = (event: PointerEvent<HTMLElement>): void => {
    const { target } = event
    if (!(target instanceof Element) || target.closest('button:not(.call-grip), select')) return
    if (target.closest('.call-head')) drag(event)
  }
  return (
    <section
      ref={box}
      className="call-box"
      role={call.phase === 'incoming' ? 'alertdialog' : 'dialog'}
      aria-label={callTypeNames[call.callType]}
      aria-describedby="call-name call-status"
      aria-keyshortcuts="F8"
      tabIndex={-1}
      style={{ left: rect.x, top: rect.y }}
      onPointerDown={startMove}
    >
      <CallView call={call} frame="box" sizeButton={<EnlargeButton />}>
        <button type="button" className="icon-button call-grip" aria-label={callTexts.move} onKeyDown={moveByKey}>
          <GripIcon />
        </button>
      </CallView>
      {wasTyping && call.phase === 'incoming' && (
        <p role="alert">
          <span className="visually-hidden">{`${remoteNameInText(call)}: ${statusText(call)}`}</span>
          {callTexts.shortcutHint}
        </p>
      )}
    </section>
  )
}

/** Where the box is; it stays inside when it grows, and when the viewport shrinks. */
function useBoxPlace(box: RefObject<HTMLElement | null>) {
  const stored = useRef<WindowRect>(null)
  stored.current ??= restoreBoxRect(viewportSize())
  const sizeOf = (rect: WindowRect): Size => ({
    width: box.current?.offsetWidth ?? rect.width,
    height: box.current?.offsetHeight ?? rect.height,
  })
  const store = (rect: WindowRect): void => {
    stored.current = rect
    storeBoxRect(rect)
  }
  const { rect, save, followPointer, refit } = useDraggedRect({
    stored: stored.current,
    store,
    fit: (from) => resizeBox(from, sizeOf(from), viewportSize()),
  })
  useEffect(() => {
    if (!box.current) return
    const observer = new ResizeObserver(refit)
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, refit])
  const move = (from: WindowRect, dx: number, dy: number): WindowRect =>
    moveInside({ x: from.x + dx, y: from.y + dy, ...sizeOf(from) }, viewportSize())
  const moveByKey = (event: KeyboardEvent): void => {
    const step = arrowStep(event.key)
    if (!step) return
    event.preventDefault()
    const steps = event.shiftKey ? SHIFT_STEPS : 1
    save(move(rect, step[0] * steps, step[1] * steps))
  }
  return { rect, drag: (event: PointerEvent<HTMLElement>) => followPointer(event, move), moveByKey }
}

/** Makes the box larger, for pictures. */
function EnlargeButton(): ReactNode {
  const isEnlarged = useSignalValue(isCallEnlarged, false)
  const toggle = (): void => {
    isCallEnlarged.value = !isEnlarged
  }
  const label = isEnlarged ? callTexts.shrink : callTexts.enlarge
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={toggle}>
      {isEnlarged ? <ShrinkIcon /> : <EnlargeIcon />}
    </button>
  )
}
