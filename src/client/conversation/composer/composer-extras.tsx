import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { MAX_COMPOSER_QUOTE_LENGTH } from '../../../shared/room-chat/limits.ts'
import { quoteExcerpt } from '../../../shared/room-chat/quotes.ts'
import { showLoadingWhile } from '../../loading-indicator.ts'
import { showMentionToasts } from '../../room-chat/mention-toasts.ts'
import { replyingTo } from '../../room-chat/state.ts'
import { typingIndicator } from '../../room-chat/typing-state.ts'
import { toastLoadFailure } from '../../shell/toasts/toast.ts'
import { CloseIcon } from '../../ui/lazy-icons.tsx'
import { trackVirtualKeyboard } from '../../ui/virtual-keyboard.ts'
import { useSignalValue } from '../../use-signal-value.ts'
import { ComposerNotice } from './composer-notice.tsx'
import { insertText } from './insert-text.ts'
import { MentionList } from './mention-list.tsx'
import { typingText } from './typing-indicator.ts'
import './composer-extras.css'

showMentionToasts()

interface ComposerExtrasProps {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  roomId: number
  viewerId: number
  /** Why the last try was refused. */
  refusalText: string | null
  isPicking: boolean
  onPickerClosed: () => void
}

/** What stands above the field: notices, who is writing, whom one answers, names that fit a mention, and emoji. */
export function ComposerExtras(props: ComposerExtrasProps): ReactNode {
  const { field, text, roomId, viewerId, refusalText, isPicking, onPickerClosed } = props
  useEffect(trackVirtualKeyboard, [])
  useTypingSignal(text, roomId)
  useAutoGrow(field, text)
  return (
    <>
      <ComposerNotice refused={refusalText} />
      <TypingText viewerId={viewerId} />
      <ReplyBar field={field} />
      <MentionList field={field} text={text} roomId={roomId} viewerId={viewerId} />
      {isPicking && <LazyEmojiPicker field={field} onClose={onPickerClosed} />}
    </>
  )
}

/** Tells the room that one is writing, but not of a draft that was there before. */
function useTypingSignal(text: string, roomId: number): void {
  const before = useRef({ text, roomId })
  useEffect(() => {
    const { current } = before
    before.current = { text, roomId }
    if (text === '') typingIndicator.onSent()
    else if (current.roomId === roomId && current.text !== text) typingIndicator.onInput()
  }, [text, roomId])
}

/** Where CSS cannot fit a field to its text, this does. */
function useAutoGrow(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const { current } = field
    if (!current || CSS.supports('field-sizing', 'content')) return
    current.style.height = text === '' ? '' : 'auto'
    if (text !== '') current.style.height = `${current.scrollHeight}px`
  }, [field, text])
}

interface LazyEmojiPickerProps {
  field: RefObject<HTMLTextAreaElement | null>
  onClose: () => void
}

/** The emoji picker, loaded when it is opened first; a try that failed is not the last one. */
function LazyEmojiPicker({ field, onClose }: LazyEmojiPickerProps): ReactNode {
  const [loaded, setLoaded] = useState<typeof import('./emoji-picker.tsx') | null>(null)
  useEffect(() => {
    showLoadingWhile(import('./emoji-picker.tsx')).then(setLoaded, (error) => {
      toastLoadFailure(error)
      onClose()
    })
  }, [onClose])
  const insert = useCallback((emoji: string) => field.current && insertText(field.current, emoji), [field])
  const close = useCallback(() => {
    onClose()
    field.current?.focus()
  }, [field, onClose])
  return loaded && <loaded.EmojiPicker onPick={insert} onEscape={close} onClose={onClose} />
}

function TypingText({ viewerId }: { viewerId: number }): ReactNode {
  const words = typingText(useSignalValue(typingIndicator.typists, []), viewerId)
  return (
    words && (
      <p className="typists">
        <span>{words}</span>
        <span className="typists-dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      </p>
    )
  )
}

/** The message that will be answered, until it is, or until Esc or the button says no. */
function ReplyBar({ field }: { field: RefObject<HTMLTextAreaElement | null> }): ReactNode {
  const replying = useSignalValue(replyingTo, null)
  useEffect(() => {
    const { current } = field
    if (!replying || !current) return
    current.focus({ preventScroll: true })
    const cancelOnEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.target !== current) return
      event.preventDefault()
      cancelReply()
    }
    // Whatever lies over the composer, as the emoji do, hears of the key before the window does.
    window.addEventListener('keydown', cancelOnEscape)
    return () => window.removeEventListener('keydown', cancelOnEscape)
  }, [field, replying])

  return (
    <div role="status">
      {replying && (
        <div className="reply-bar">
          <p>
            <b>
              <span className="visually-hidden">Yanıtlanan: </span>
              {replying.sender.username}
            </b>
            <span>{quoteExcerpt(replying.content, MAX_COMPOSER_QUOTE_LENGTH)}</span>
          </p>
          <button
            type="button"
            className="icon-button"
            aria-label="Yanıttan vazgeç"
            onClick={() => {
              cancelReply()
              field.current?.focus()
            }}
          >
            <CloseIcon size={18} />
          </button>
        </div>
      )}
    </div>
  )
}

function cancelReply(): void {
  replyingTo.value = null
}
