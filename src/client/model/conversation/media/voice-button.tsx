import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { showLoadingWhile } from '../../../core/loading/loading-indicator.ts'
import { toastLoadFailure } from '../../../core/shell/toasts/toast.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { MicrophoneIcon } from '../../media/icons.tsx'
import type { Conversation } from '../conversation.ts'
import type { ConversationFiles } from './conversation-files.ts'
import { useRefusalText } from './use-refusal-text.ts'

interface VoiceProps {
  conversation: Conversation
  files: ConversationFiles
}

/** Opens the recorder, which loads with the first click. */
export function VoiceButton({ conversation, files: { recorder }, files }: VoiceProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = useSignalValue(recorder, null) !== null
  const wasOpen = useRef(false)
  const { canWrite } = useSignalValue(conversation.permission, conversation.permission.peek())
  const refusalText = useRefusalText(files, 'audio')
  useEffect(() => {
    // It is hidden while the recorder is there.
    if (wasOpen.current && !isOpen) button.current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen])
  const open = (): void => {
    showLoadingWhile(import('./voice-recorder.tsx')).then((part) => {
      recorder.value = part
    }, toastLoadFailure)
  }
  return (
    <button
      ref={button}
      type="button"
      className="composer-emoji composer-voice"
      aria-label="Ses kaydet"
      aria-expanded={isOpen}
      // The recorder says why.
      aria-disabled={refusalText !== null}
      title={refusalText ?? undefined}
      disabled={!canWrite}
      onClick={open}
    >
      <MicrophoneIcon size={22} />
    </button>
  )
}

/** The open recorder, above the box of the composer. */
export function RecorderPlace({ files }: Pick<VoiceProps, 'files'>): ReactNode {
  const part = useSignalValue(files.recorder, null)
  const close = useCallback(() => {
    files.recorder.value = null
  }, [files])
  return part && <part.VoiceRecorder files={files} onClose={close} />
}
