import { type ReactNode, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { showLoadingWhile } from '../../loading-indicator.ts'
import { toastLoadFailure } from '../../shell/toasts/toast.ts'
import { trackVirtualKeyboard } from '../../ui/virtual-keyboard.ts'
import { useSignalValue } from '../../use-signal-value.ts'
import { useConversation } from '../conversation-context.ts'
import { ComposerNotice } from './composer-notice.tsx'
import { insertText } from './insert-text.ts'
import { MentionList } from './mention-list.tsx'
import { ReplyBar } from './reply-bar.tsx'
import { typingIndicatorOf, typingText } from './typing-indicator.ts'
import './composer-extras.css'

interface ComposerExtrasProps {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  viewerId: UserId
  /** Why the last message was refused. */
  refusalText: string | null
  isPicking: boolean
  onPickerClosed: () => void
}

/** The parts above the field: notices, who types, the message replied to, names for a mention, and emoji. */
export function ComposerExtras(props: ComposerExtrasProps): ReactNode {
  const { field, text, viewerId, refusalText, isPicking, onPickerClosed } = props
  const conversation = useConversation()
  useEffect(trackVirtualKeyboard, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation in the same field is focused again.
  useEffect(() => focusOnDesktop(field.current), [field, conversation])
  useTypingSignal(text)
  useAutoGrow(field, text)
  return (
    <>
      <ComposerNotice refusalText={refusalText} />
      <TypingText viewerId={viewerId} />
      <ReplyBar field={field} />
      <MentionList field={field} text={text} viewerId={viewerId} />
      {isPicking && <LazyEmojiPicker field={field} onClose={onPickerClosed} />}
    </>
  )
}

/** Signals to the other users that the viewer types; a restored draft is not typing. */
function useTypingSignal(text: string): void {
  const conversation = useConversation()
  const before = useRef({ text, conversation })
  useEffect(() => {
    const { current } = before
    before.current = { text, conversation }
    const typing = typingIndicatorOf(conversation)
    if (text === '') typing.onSent()
    else if (current.conversation === conversation && current.text !== text) typing.onInput()
  }, [text, conversation])
}

/** Fits the field to its text where CSS cannot. */
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

/** Loads the emoji picker when it opens; after a failure the next opening tries again. */
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

function TypingText({ viewerId }: { viewerId: UserId }): ReactNode {
  const { typists } = typingIndicatorOf(useConversation())
  const text = typingText(useSignalValue(typists, []), viewerId)
  return (
    text && (
      <p className="typing-indicator">
        <span>{text}</span>
        <span className="typing-indicator-dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      </p>
    )
  )
}

/** On a phone the keyboard would cover the messages. */
function focusOnDesktop(field: HTMLTextAreaElement | null): void {
  const { activeElement, body } = document
  const isFree = activeElement === null || activeElement === body || activeElement.matches('main')
  if (isFree && matchMedia('(hover: hover) and (pointer: fine)').matches) field?.focus({ preventScroll: true })
}
