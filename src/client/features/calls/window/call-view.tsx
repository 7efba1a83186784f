import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { callTexts, qualityTexts } from '../../../../shared/calls/window-texts.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { GearIcon } from '../../../core/ui/lazy-icons.tsx'
import type { Call } from '../call-state.ts'
import { isActivePhase, isPictureShown, layoutOf, remoteName, statusText } from '../call-status.ts'
import { CallControls } from './call-controls.tsx'
import { CallDuration } from './call-duration.tsx'
import { CallNotices } from './call-notices.tsx'
import { CallSettings } from './call-settings.tsx'
import { CallStage } from './call-stage.tsx'
import { isCallEnlarged } from './call-window-state.ts'
import { OtherAvatar } from './other-avatar.tsx'
import { PopOutButton } from './pop-out-button.tsx'
import { useMicrophoneLevel } from './use-microphone-level.ts'

interface CallViewProps {
  call: Call
  /** In a box of a desktop, or on the screen of a phone. */
  frame: 'box' | 'screen'
  /** The button that changes the box's size. */
  sizeButton: ReactNode
  /** The first button of the head. */
  children: ReactNode
}

/** A call with its head, pictures and controls. */
export function CallView({ call, frame, sizeButton, children }: CallViewProps): ReactNode {
  const view = useRef<HTMLDivElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const [isSettingsOpen, setSettingsOpen] = useState(false)
  const isEnlarged = useSignalValue(isCallEnlarged, false)
  const isActive = isActivePhase(call.phase)
  const hasSettings = isSettingsOpen && isActive
  const layout = layoutOf(call, frame)
  useMicrophoneLevel(view, isActive && call.isMicrophoneOn ? call.localStream : null)
  useEscape(view, hasSettings, () => setSettingsOpen(false))
  return (
    <div
      ref={view}
      className={`call call--${frame} call--${layout} call--${frame}-${layout}`}
      data-phase={call.phase}
      data-enlarged={frame === 'box' && layout === 'picture' && isEnlarged}
    >
      <header className="call-head">
        {children}
        {layout === 'card' && <OtherAvatar call={call} size={48} />}
        <CallIdentity call={call} />
        {frame === 'box' && isPictureShown(call) && <PopOutButton video={video} />}
        {layout === 'picture' && sizeButton}
        {isActive && <SettingsButton isOpen={hasSettings} toggle={() => setSettingsOpen(!hasSettings)} />}
      </header>
      {hasSettings && <CallSettings call={call} />}
      <CallStage call={call} frame={frame} layout={layout} video={video} />
      <CallNotices call={call} />
      <CallControls call={call} frame={frame} />
    </div>
  )
}

function SettingsButton({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }): ReactNode {
  const { settings } = callTexts
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={settings}
      title={settings}
      aria-expanded={isOpen}
      onClick={toggle}
    >
      <GearIcon />
    </button>
  )
}

/** Esc closes what is open within an element, and nothing else; the focus stays on the button that opened it. */
function useEscape(element: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    const { current } = element
    if (!isOpen || !current) return
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      current.querySelector<HTMLElement>('[aria-expanded=true]')?.focus()
      latest.current()
    }
    current.addEventListener('keydown', onKeyDown)
    return () => current.removeEventListener('keydown', onKeyDown)
  }, [element, isOpen])
}

/** The other participant's name and the state. */
function CallIdentity({ call }: { call: Call }): ReactNode {
  const isConnected = call.phase === 'connected'
  return (
    <div className="grow call-identity">
      <h2 id="call-name" className="call-name">
        <bdi className="truncate">{remoteName(call)}</bdi>
        {call.isStaff && <span className="call-staff">{callTexts.staff}</span>}
      </h2>
      <p id="call-status" className={isConnected ? 'visually-hidden' : 'call-status'} role="status">
        {statusText(call)}
      </p>
      {isConnected && (
        <p className="call-status">
          <CallDuration since={call.connectedAt} />
          {call.quality && (
            <span className={`call-quality call-quality--${call.quality}`}>{qualityTexts[call.quality]}</span>
          )}
        </p>
      )}
    </div>
  )
}
