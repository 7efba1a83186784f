import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { useLazy } from '../../../core/loading/use-lazy.ts'
import type { Signal } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { trackVirtualKeyboard } from '../../../core/ui/virtual-keyboard.ts'
import { useConversation } from '../conversation-context.ts'
import { LazyEmojiPicker } from './lazy-emoji-picker.tsx'
import { MentionList } from './mention-list.tsx'
import { typingIndicatorOf, typingText } from './typing-indicator.ts'
import { useAutoGrow } from './use-auto-grow.ts'
import './composer-extras.css'
import { MAX_COMPOSER_QUOTE_LENGTH, MAX_MESSAGE_LENGTH } from '../../../../shared/room-chat/limits.ts'
import { messageQuote } from '../../../../shared/room-chat/quotes.ts'
import { SendIcon } from '../../../core/ui/composer-icons.tsx'
import { countText } from '../../../core/ui/format/turkish-number.ts'
import { AlertIcon, CheckIcon } from '../../../core/ui/icons.tsx'
import { CloseIcon } from '../../../core/ui/lazy-icons.tsx'

interface PasteOverflowProps {
  field: RefObject<HTMLTextAreaElement | null>
  /** The end of a pasted text, for which the field has no room. It follows when the field is sent. */
  unfitted: Signal<string>
}

/** A longer wait is shown in minutes. */
const MAX_SHOWN_SECONDS = 90

interface ComposerNoticeProps {
  refusalText: string | null
  /** Whether the text is sent when the pause is over. */
  isDeferred: boolean
  onCancel: () => void
}

interface DeferredSend {
  /** Whether the text was sent in a pause, and waits for its end. */
  isDeferred: boolean
  send: () => void
  cancel: () => void
}

interface ComposerExtrasProps {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  viewerId: UserId
  /** Why the last message was refused. */
  refusalText: string | null
  deferred: DeferredSend
  /** What of a pasted text did not fit into the field. */
  unfitted: Signal<string>
  isPicking: boolean
  onPickerClosed: () => void
}

/** The parts above the field: notices, who types, the message replied to, names for a mention, and emoji. */
export function ComposerExtras(props: ComposerExtrasProps): ReactNode {
  const { field, text, viewerId, refusalText, deferred, unfitted, isPicking, onPickerClosed } = props
  const conversation = useConversation()
  useEffect(trackVirtualKeyboard, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation in the same field is focused again.
  useEffect(() => focusOnDesktop(field.current), [field, conversation])
  useTypingSignal(text)
  useAutoGrow(field, text)
  useDeferredSend(deferred)
  const loadSource = useMemo(() => conversation.loadMentionSource?.bind(conversation), [conversation])
  return (
    <>
      <ComposerNotice refusalText={refusalText} isDeferred={deferred.isDeferred} onCancel={deferred.cancel} />
      <PasteOverflow field={field} unfitted={unfitted} />
      <TypingText viewerId={viewerId} />
      <ReplyBar field={field} />
      {loadSource && <MentionList field={field} text={text} viewerId={viewerId} loadSource={loadSource} />}
      <Files is="ComposerFiles" />
      {isPicking && <LazyEmojiPicker field={field} onClose={onPickerClosed} />}
    </>
  )
}

export { SendButtonIcon }

/** The buttons of the box that add files. */
export function ComposerTools(): ReactNode {
  return <Files is="FileTools" />
}

type FileParts = typeof import('../media/composer-files.lazy.tsx')

const loadFileParts = (): Promise<FileParts> => import('../media/composer-files.lazy.tsx')

/** A part for the files of the conversation, once both are loaded. */
function Files({ is }: { is: keyof FileParts }): ReactNode {
  const conversation = useConversation()
  const files = useSignalValue(conversation.files, conversation.files.peek())
  const parts = useLazy(loadFileParts)
  useEffect(() => void conversation.loadFiles?.(), [conversation])
  const Part = parts?.[is]
  return Part && files && <Part conversation={conversation} files={files} />
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

function TypingText({ viewerId }: { viewerId: UserId }): ReactNode {
  const { typists } = typingIndicatorOf(useConversation())
  const text = typingText(useSignalValue(typists, []), viewerId)
  return (
    text && (
      <p className="typing-indicator">
        <span>{text}</span>
        <span aria-hidden="true">
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

/** What the send button shows: its icon, or in a pause the seconds that are left. */
function SendButtonIcon(): ReactNode {
  const { composerNotice } = useConversation()
  const pauseEndsAt = useSignalValue(composerNotice, null)?.endsAt ?? null
  return pauseEndsAt === null ? <SendIcon /> : <TimeLeft until={pauseEndsAt} />
}

/** Sends a deferred text at the end of the pause. A refusal for another pause defers it again. */
function useDeferredSend({ isDeferred, send, cancel }: DeferredSend): void {
  const { composerNotice, permission } = useConversation()
  const isPaused = typeof useSignalValue(composerNotice, null)?.endsAt === 'number'
  const { canWrite } = useSignalValue(permission, permission.peek())
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of a pause sends, not a key
  useEffect(() => {
    if (!isDeferred) return
    if (!canWrite) cancel()
    else if (!isPaused) send()
  }, [isDeferred, isPaused, canWrite])
}

/** A wait, its end, or why the last message was refused. The send button counts a pause down, unless it is disabled. */
function ComposerNotice({ refusalText, isDeferred, onCancel }: ComposerNoticeProps): ReactNode {
  const { composerNotice, permission } = useConversation()
  const notice = useSignalValue(composerNotice, null)
  const { canWrite } = useSignalValue(permission, permission.peek())
  const shown = notice ?? (refusalText === null ? null : { kind: 'warning' as const, text: refusalText, endsAt: null })
  return (
    <div className="composer-notice" role="status">
      {shown && (
        <p className={shown.kind === 'warning' ? 'notice-pill notice-pill--warning' : 'notice-pill'}>
          {shown.kind === 'warning' ? <AlertIcon size={16} /> : <CheckIcon size={16} />}
          <span>
            {shown.text}
            {isDeferred && ' Mesajın süre bitince gönderilecek.'}
          </span>
          {isDeferred && (
            <button type="button" className="link-button" onClick={onCancel}>
              Gönderme
            </button>
          )}
          {!canWrite && shown.endsAt !== null && <TimeLeft until={shown.endsAt} />}
        </p>
      )}
    </div>
  )
}

/** Counts down to `until` (epoch milliseconds by this machine's clock). Not read out: the notice says it once. */
function TimeLeft({ until }: { until: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return (
    <span className="time-left" aria-hidden="true">
      {seconds > MAX_SHOWN_SECONDS ? `${Math.ceil(seconds / 60)} dk` : `${seconds} sn`}
    </span>
  )
}

/** The message that the next one replies to, until that is sent, or until Esc or the button cancels it. */
function ReplyBar({ field }: { field: RefObject<HTMLTextAreaElement | null> }): ReactNode {
  const { replyingTo } = useConversation()
  const replying = useSignalValue(replyingTo, null)
  useEffect(() => {
    const { current } = field
    if (!replying || !current) return
    current.focus({ preventScroll: true })
    const cancelOnEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.target !== current) return
      event.preventDefault()
      replyingTo.value = null
    }
    // The window handles the key last, after layers over the composer such as the emoji picker.
    window.addEventListener('keydown', cancelOnEscape)
    return () => window.removeEventListener('keydown', cancelOnEscape)
  }, [field, replying, replyingTo])

  const cancel = (): void => {
    replyingTo.value = null
    field.current?.focus()
  }
  return (
    <div role="status">
      {replying && (
        <div className="reply-bar">
          <p>
            <b>
              <span className="visually-hidden">Yanıtlanan: </span>
              <bdi>{replying.sender.username}</bdi>
            </b>
            <span dir="auto">
              {messageQuote(replying.content, replying.media?.mediaType, MAX_COMPOSER_QUOTE_LENGTH)}
            </span>
          </p>
          <button type="button" className="icon-button" aria-label="Yanıttan vazgeç" onClick={cancel}>
            <CloseIcon size={18} />
          </button>
        </div>
      )}
    </div>
  )
}

/** Says how much of a pasted text did not fit, and keeps it for the next message. */
function PasteOverflow({ field, unfitted }: PasteOverflowProps): ReactNode {
  const { length } = useSignalValue(unfitted, '')
  useEffect(() => keepUnfitted(field.current, unfitted), [field, unfitted])
  const discard = (): void => {
    unfitted.value = ''
    field.current?.focus()
  }
  return (
    <div role="status">
      {length > 0 && (
        <p className="notice-pill notice-pill--warning">
          <span>{countText(length)} karakter sığmadı. Bunu gönderince kalanı buraya gelir.</span>
          <button type="button" className="link-button" onClick={discard}>
            Kalanı sil
          </button>
        </p>
      )}
    </div>
  )
}

/** The browser inserts what fits and drops the rest without a word. */
function keepUnfitted(field: HTMLTextAreaElement | null, unfitted: Signal<string>): (() => void) | undefined {
  if (!field) return
  const keep = (event: ClipboardEvent): void => {
    const pasted = (event.clipboardData?.getData('text/plain') ?? '').replace(/\r\n?/gu, '\n')
    const { value, selectionStart, selectionEnd } = field
    const before = value.length - (selectionEnd - selectionStart)
    if (before + pasted.length <= MAX_MESSAGE_LENGTH) return
    // After the browser has inserted it, and only if it has: files are handled elsewhere.
    setTimeout(() => {
      if (!event.defaultPrevented) unfitted.value = pasted.slice(field.value.length - before) + unfitted.peek()
    })
  }
  field.addEventListener('paste', keep)
  return () => field.removeEventListener('paste', keep)
}
