import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { session } from '../../../core/session/session.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { SendIcon } from '../../../core/ui/composer-icons.tsx'
import { AlertIcon } from '../../../core/ui/icons.tsx'
import { CloseIcon } from '../../../core/ui/lazy-icons.tsx'
import { AudioPlayer } from '../../media/audio/audio-player.tsx'
import { audioTime } from '../../media/audio/audio-time.ts'
import { audioPlayback } from '../../media/audio/playback.ts'
import { browserVoicePlatform } from '../../media/audio/voice-platform.ts'
import { VoiceRecording } from '../../media/audio/voice-recording.ts'
import {
  type VoiceEnding,
  type VoiceNote,
  type VoiceState,
  voiceEndings,
  voiceFailures,
} from '../../media/audio/voice-state.ts'
import { MicrophoneIcon, PauseIcon, StopIcon, TrashIcon } from '../../media/icons.tsx'
import type { OutgoingFile } from '../../media/upload/outgoing-file.ts'
import type { ConversationFiles } from './conversation-files.ts'
import './voice-recorder.lazy.css'

/** Interval at which the time and the level are redrawn. */
const METER_INTERVAL_MS = 100
const METER_BARS = 24
/** Speech seldom fills the scale: this loudness does. */
const FULL_METER_LEVEL = 0.25

interface VoiceRecorderProps {
  files: Pick<ConversationFiles, 'check' | 'sendFile'>
  /** Called when the recording is cancelled, discarded or sent. */
  onClose: () => void
}

/** Records a voice note from the moment it is shown, plays it back, and sends or discards it. */
export function VoiceRecorder({ files, onClose }: VoiceRecorderProps): ReactNode {
  const [refusal] = useState(() => files.check('audio'))
  const recording = useRecording(refusal === null)
  const state = useSignalValue(recording.state, recording.state.peek())
  const cancelOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // The window stays open.
    event.preventDefault()
    onClose()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a box of its own
    <div className="voice" role="group" aria-label="Ses kaydı" onKeyDown={cancelOnEscape}>
      <p className="visually-hidden" role="status">
        {announcements[state.name]}
      </p>
      {refusal ? (
        <VoiceProblem text={refusal.body.message} onClose={onClose} />
      ) : (
        <VoiceStep state={state} recording={recording} files={files} onClose={onClose} />
      )}
    </div>
  )
}

const openRecordings = new Set<VoiceRecording>()
session.onClear(() => openRecordings.forEach((recording) => void recording.end()))

/** A recording that starts at once, and ends with the component and with the session. */
function useRecording(mayStart: boolean): VoiceRecording {
  const recording = useMemo(() => new VoiceRecording(browserVoicePlatform), [])
  useEffect(() => {
    if (!mayStart) return
    openRecordings.add(recording)
    startRecording(recording)
    return () => {
      openRecordings.delete(recording)
      recording.end()
    }
  }, [recording, mayStart])
  return recording
}

/** Nothing plays into the microphone. */
function startRecording(recording: VoiceRecording): void {
  audioPlayback.pause()
  void recording.start()
}

/** What screen readers hear of a state; a failure is read out as an alert. */
const announcements: Record<VoiceState['name'], string> = {
  idle: '',
  opening: 'Mikrofon açılıyor...',
  recording: 'Kayıt sürüyor.',
  paused: 'Kayıt duraklatıldı.',
  reading: 'Kayıt hazırlanıyor...',
  stopped: 'Kayıt bitti. Dinleyebilir ve gönderebilirsin.',
  failed: '',
}

interface StepProps {
  state: VoiceState
  recording: VoiceRecording
  files: VoiceRecorderProps['files']
  onClose: () => void
}

function VoiceStep({ state, recording, files, onClose }: StepProps): ReactNode {
  switch (state.name) {
    case 'idle':
      return null
    case 'failed':
      return (
        <VoiceProblem text={voiceFailures[state.failure]} onClose={onClose} onRetry={() => startRecording(recording)} />
      )
    case 'stopped':
      return <VoicePreview note={state.note} ending={state.ending} files={files} onClose={onClose} />
    case 'recording':
    case 'paused':
      return <LiveRecording isPaused={state.name === 'paused'} recording={recording} onCancel={onClose} />
    case 'opening':
    case 'reading':
      return (
        <div className="voice-row">
          <CancelButton onCancel={onClose} />
          <span className="voice-text">{announcements[state.name]}</span>
          <span className="spinner faint" aria-hidden="true" />
        </div>
      )
  }
}

function CancelButton({ onCancel }: { onCancel: () => void }): ReactNode {
  return (
    <button type="button" className="voice-button" aria-label="Kaydı iptal et" onClick={onCancel}>
      <CloseIcon />
    </button>
  )
}

interface VoiceProblemProps {
  text: string
  onClose: () => void
  /** Absent where another try has the same end. */
  onRetry?: () => void
}

function VoiceProblem({ text, onClose, onRetry }: VoiceProblemProps): ReactNode {
  const closeButton = useFocusOnMount()
  return (
    <div className="voice-row">
      <AlertIcon size={18} />
      <div className="voice-text">
        <p role="alert">{text}</p>
        {onRetry && (
          <button type="button" className="link-button" onClick={onRetry}>
            Tekrar dene
          </button>
        )}
      </div>
      <button ref={closeButton} type="button" className="voice-button" aria-label="Kapat" onClick={onClose}>
        <CloseIcon />
      </button>
    </div>
  )
}

interface LiveRecordingProps {
  isPaused: boolean
  recording: VoiceRecording
  onCancel: () => void
}

function LiveRecording({ isPaused, recording, onCancel }: LiveRecordingProps): ReactNode {
  const stopButton = useFocusOnMount()
  const { elapsedMs, levels } = useMeter(recording)
  return (
    <div className="voice-row" data-paused={isPaused}>
      <CancelButton onCancel={onCancel} />
      <span className="voice-lamp" aria-hidden="true" />
      <span role="timer" aria-label="Kayıt süresi">
        {audioTime(elapsedMs)}
      </span>
      <span className="voice-meter" aria-hidden="true">
        {levels.map((level, index) => (
          <i key={index} style={{ height: `${level * 100}%` }} />
        ))}
      </span>
      <button
        type="button"
        className="voice-button"
        aria-label={isPaused ? 'Kayda devam et' : 'Kaydı duraklat'}
        onClick={() => (isPaused ? recording.resume() : recording.pause())}
      >
        {isPaused ? <MicrophoneIcon /> : <PauseIcon />}
      </button>
      <button
        ref={stopButton}
        type="button"
        className="voice-button voice-button--accent"
        aria-label="Kaydı bitir"
        onClick={() => void recording.stop()}
      >
        <StopIcon />
      </button>
    </div>
  )
}

/** The recorded time, and the loudness of the last seconds from 0 to 1, the latest last. */
function useMeter(recording: VoiceRecording): { elapsedMs: number; levels: readonly number[] } {
  const [meter, setMeter] = useState(() => ({ elapsedMs: 0, levels: new Array<number>(METER_BARS).fill(0) }))
  useEffect(() => {
    const read = (): void => {
      const isRecording = recording.state.peek().name === 'recording'
      const level = Math.min(recording.level() / FULL_METER_LEVEL, 1)
      setMeter(({ levels }) => ({
        elapsedMs: recording.recordedMs(),
        levels: isRecording ? [...levels.slice(1), level] : levels,
      }))
    }
    const timer = setInterval(read, METER_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [recording])
  return meter
}

interface VoicePreviewProps {
  note: VoiceNote
  ending: VoiceEnding
  files: VoiceRecorderProps['files']
  onClose: () => void
}

/** Plays the recording before it is sent or discarded. */
function VoicePreview({ note, ending, files, onClose }: VoicePreviewProps): ReactNode {
  const sendButton = useFocusOnMount()
  const url = useObjectUrl(note.blob)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(voiceEndings[ending])
  const submit = async (): Promise<void> => {
    if (isSending) return
    setSending(true)
    const refusal = await files.sendFile(outgoingFileOf(note))
    setSending(false)
    if (refusal) setProblem(refusal.body.message)
    else onClose()
  }
  return (
    <>
      {problem && <p role="alert">{problem}</p>}
      <div className="voice-row">
        <button type="button" className="voice-button" aria-label="Kaydı sil" onClick={onClose}>
          <TrashIcon />
        </button>
        {url && (
          <AudioPlayer url={url} durationMs={note.durationMs} waveform={note.waveform} label="Kaydın önizlemesi" />
        )}
        <button
          ref={sendButton}
          type="button"
          className="voice-button voice-button--accent"
          aria-label="Ses kaydını gönder"
          aria-disabled={isSending}
          onClick={() => void submit()}
        >
          {isSending ? <span className="spinner" /> : <SendIcon />}
        </button>
      </div>
    </>
  )
}

function outgoingFileOf({ blob, durationMs, waveform }: VoiceNote): OutgoingFile {
  const extension = blob.type === 'audio/ogg' ? 'ogg' : 'webm'
  const none = { poster: null, width: null, height: null }
  return { ...none, blob, name: `ses-kaydi.${extension}`, mediaType: 'audio', durationMs, waveform }
}

/** The URL of a blob while the component is shown. */
function useObjectUrl(blob: Blob): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const created = URL.createObjectURL(blob)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [blob])
  return url
}

/** The clicked button of the step before is gone, so the focus goes to the next one. */
function useFocusOnMount() {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus({ preventScroll: true }), [])
  return button
}
