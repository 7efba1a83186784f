import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { callTexts, otherScreenText, qualityTexts, videoRequestText } from '../../../../shared/calls/window-texts.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { AlertIcon } from '../../../core/ui/icons.tsx'
import { GearIcon } from '../../../core/ui/lazy-icons.tsx'
import { prefersStill } from '../../../core/ui/prefers-still.ts'
import { PopOutIcon } from '../../../model/calls/icons.tsx'
import { levelOf } from '../../../model/media/audio/waveform.ts'
import { answerVideo } from '../call-actions.ts'
import type { Call } from '../call-state.ts'
import { isActivePhase, isPictureShown, layoutOf, remoteName, remoteNameInText, statusText } from '../call-status.ts'
import { CallControls } from './call-controls.tsx'
import { CallDuration } from './call-duration.tsx'
import { CallSettings } from './call-settings.tsx'
import { CallStage } from './call-stage.tsx'
import { isCallEnlarged } from './call-window-state.ts'
import { OtherAvatar } from './other-avatar.tsx'
import './call-notices.lazy.css'

/** Speech seldom fills the scale: this loudness does. */
const FULL_LEVEL = 0.25

const SAMPLES = 512

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
      className={`call call--${frame} call--${layout}`}
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
      <h2 id="call-name">
        <bdi className="truncate">{remoteName(call)}</bdi>
        {call.isStaff && <span>{callTexts.staff}</span>}
      </h2>
      <p id="call-status" className={isConnected ? 'visually-hidden' : undefined} role="status">
        {statusText(call)}
      </p>
      {isConnected && (
        <p>
          <CallDuration since={call.connectedAt} />
          {call.quality && (
            <span className={`call-quality call-quality--${call.quality}`}>{qualityTexts[call.quality]}</span>
          )}
        </p>
      )}
    </div>
  )
}

/** Shows the other participant's picture above other programs, where the browser has picture-in-picture. */
function PopOutButton({ video }: { video: RefObject<HTMLVideoElement | null> }): ReactNode {
  if (!document.pictureInPictureEnabled) return null
  const toggle = async (): Promise<void> => {
    try {
      if (document.pictureInPictureElement) await document.exitPictureInPicture()
      else await video.current?.requestPictureInPicture()
    } catch (error) {
      // Before the first frame, or refused by the system.
      console.warn(error)
      void toast(callTexts.pictureInPictureFailed, 'warning')
    }
  }
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={callTexts.pictureInPicture}
      title={callTexts.pictureInPicture}
      onClick={() => void toggle()}
    >
      <PopOutIcon />
    </button>
  )
}

/**
 * Keeps the level of the microphone, from 0 to 1, in the property `--call-level` of an element: without a redraw by React.
 * Where the system asks for less motion it stays at 0.
 */
function useMicrophoneLevel(element: RefObject<HTMLElement | null>, stream: MediaStream | null): void {
  useEffect(() => {
    const { current } = element
    if (!current || !stream?.getAudioTracks().length) return
    if (prefersStill()) return
    const meter = openMeter(stream)
    let frame = 0
    const show = (): void => {
      current.style.setProperty('--call-level', String(Math.round(meter.level() * 50) / 50))
      frame = requestAnimationFrame(show)
    }
    show()
    return () => {
      cancelAnimationFrame(frame)
      current.style.removeProperty('--call-level')
      meter.close()
    }
  }, [element, stream])
}

function openMeter(stream: MediaStream): { level: () => number; close: () => void } {
  const context = new AudioContext()
  const analyser = new AnalyserNode(context, { fftSize: SAMPLES })
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(SAMPLES)
  return {
    level: () => {
      analyser.getFloatTimeDomainData(samples)
      return Math.min(1, levelOf(samples) / FULL_LEVEL)
    },
    close: () => void context.close(),
  }
}

/** What the participant should know: devices that the browser refuses, screens that are shared, a request for video. */
function CallNotices({ call }: { call: Call }): ReactNode {
  const notes = [
    call.videoRequest === 'sent' && callTexts.videoRequestSent,
    call.isScreenShared && callTexts.ownScreen,
    call.otherMedia.isScreenShared && otherScreenText(remoteNameInText(call)),
  ].filter((text) => text !== false)
  return (
    <div className="call-notices">
      <div className="call-notes" role="status">
        {call.deviceText !== null && (
          <p>
            <AlertIcon size={18} />
            {call.deviceText}
          </p>
        )}
        {notes.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      {call.videoRequest === 'received' && <VideoRequest call={call} />}
    </div>
  )
}

function VideoRequest({ call }: { call: Call }): ReactNode {
  return (
    <div className="call-request">
      <p role="status">{videoRequestText(remoteNameInText(call))}</p>
      <button type="button" className="button" onClick={() => void answerVideo(false)}>
        {callTexts.decline}
      </button>
      <button type="button" className="button button--accent" onClick={() => void answerVideo(true)}>
        {callTexts.accept}
      </button>
    </div>
  )
}
