import { type ReactNode, useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Conversation } from '../conversation/conversation.ts'
import { showLoadingWhile } from '../loading-indicator.ts'
import { toastLoadFailure } from '../shell/toasts/toast.ts'
import { useSignalValue } from '../use-signal-value.ts'
import { MicrophoneIcon } from './icons.tsx'

interface VoiceControls {
  /** The button that starts a recording. */
  button: ReactNode
  /** The open recorder; null without one. */
  recorder: ReactNode
}

type VoicePart = typeof import('./voice-recorder.tsx')

/** The record button of a composer and the recorder, which loads with the first press. Both null without files. */
export function useVoiceControls(conversation: Conversation): VoiceControls {
  const button = useRef<HTMLButtonElement>(null)
  const [part, setPart] = useState<VoicePart | null>(null)
  const { canWrite } = useSignalValue(conversation.permission, conversation.permission.peek())
  const open = (): void => {
    showLoadingWhile(import('./voice-recorder.tsx')).then(setPart, toastLoadFailure)
  }
  const close = useCallback(() => {
    // The button is hidden until the recorder has gone.
    flushSync(() => setPart(null))
    button.current?.focus({ preventScroll: true })
  }, [])
  if (!conversation.sendFile) return { button: null, recorder: null }
  return {
    button: (
      <button
        ref={button}
        type="button"
        className="composer-emoji composer-voice"
        aria-label="Ses kaydet"
        aria-expanded={part !== null}
        disabled={!canWrite}
        onClick={open}
      >
        <MicrophoneIcon size={22} />
      </button>
    ),
    recorder: part && <part.VoiceRecorder conversation={conversation} onClose={close} />,
  }
}
