import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { MAX_MESSAGE_LENGTH } from '../../../../shared/room-chat/limits.ts'
import { showLoadingWhile } from '../../../core/loading/loading-indicator.ts'
import { useLazy } from '../../../core/loading/use-lazy.ts'
import { toastLoadFailure } from '../../../core/shell/toasts/toast.ts'
import { signal } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { SendIcon, SmileIcon } from '../../../core/ui/composer-icons.tsx'
import { type Conversation, WRITABLE, type WritePermission } from '../conversation.ts'
import { ConversationContext } from '../conversation-context.ts'
import { readDraft, saveDraft } from './drafts.ts'
import './composer.css'

/** From this length on the composer shows how many characters are left. */
const SHOW_REMAINING_FROM = MAX_MESSAGE_LENGTH - 200

interface ComposerFormProps {
  conversation: Conversation
  viewerId: UserId
  /** The permission with which the server rendered it. */
  initialPermission?: WritePermission | undefined
  /** The id of the field, to which a skip link leads. */
  fieldId?: string
}

/** The composer of a conversation. */
export function ComposerForm(props: ComposerFormProps): ReactNode {
  const { conversation, viewerId, initialPermission = WRITABLE, fieldId } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const { type, send: sendText, ...outgoing } = useOutgoingText(conversation)
  const { extras, isPicking, togglePicker, closePicker } = useExtras()
  const permission = useSignalValue(conversation.permission, initialPermission)
  const send = (): void => {
    sendText()
    field.current?.focus()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    send()
  }

  return (
    <ConversationContext value={conversation}>
      <form className="composer" noValidate onSubmit={submit}>
        {extras && (
          <extras.ComposerExtras
            {...outgoing}
            field={field}
            viewerId={viewerId}
            isPicking={isPicking}
            onPickerClosed={closePicker}
          />
        )}
        <ComposerBox
          {...permission}
          fieldId={fieldId}
          tools={extras && <extras.ComposerTools />}
          sendFace={extras ? <extras.SendButtonIcon /> : <SendIcon />}
          field={field}
          text={outgoing.text}
          isPicking={isPicking}
          onType={type}
          onSend={send}
          onTogglePicker={togglePicker}
        />
      </form>
    </ConversationContext>
  )
}

/** The text of the field, which stays as a draft until it is sent, and the result of the last attempt to send it. */
function useOutgoingText(conversation: Conversation) {
  const [text, setText] = useState('')
  const [refusalText, setRefusalText] = useState<string | null>(null)
  const [isDeferred, setDeferred] = useState(false)
  const [unfitted] = useState(() => signal(''))

  useEffect(() => {
    // Text that was typed before hydration wins over the draft.
    setText((typed) => typed || readDraft(conversation.draftKey))
  }, [conversation])

  const type = (typed: string): void => {
    setText(typed)
    setRefusalText(null)
    if (typed.trim() === '') setDeferred(false)
    saveDraft(conversation.draftKey, typed)
  }
  const send = (): void => {
    const refusal = conversation.send(text)
    // A pause has its own notice, and at its end the text is sent.
    if (refusal) {
      const isPaused = typeof conversation.composerNotice.peek()?.endsAt === 'number'
      setDeferred(isPaused && refusal.body.waitMs !== undefined)
      setRefusalText(refusal.body.waitMs === undefined ? refusal.body.message : null)
    } else {
      setDeferred(false)
      type(unfitted.peek().slice(0, MAX_MESSAGE_LENGTH))
      unfitted.value = unfitted.peek().slice(MAX_MESSAGE_LENGTH)
    }
  }
  return { text, type, send, refusalText, unfitted, deferred: { isDeferred, send, cancel: () => setDeferred(false) } }
}

interface ComposerBoxProps extends WritePermission {
  fieldId: string | undefined
  tools: ReactNode
  sendFace: ReactNode
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  isPicking: boolean
  onType: (text: string) => void
  onSend: () => void
  onTogglePicker: () => void
}

/** The field and its buttons. Enter sends, Shift+Enter breaks the line. */
function ComposerBox(props: ComposerBoxProps): ReactNode {
  const { canWrite, placeholder, fieldId, tools, sendFace, field, text, isPicking, ...on } = props
  const sendOnEnter = (event: KeyboardEvent): void => {
    // While an input method composes, Enter accepts its word; Safari ends the composition first and reports key code 229.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.key !== 'Enter' || event.shiftKey || isComposing) return
    event.preventDefault()
    on.onSend()
  }
  return (
    <div className="composer-box">
      <button
        type="button"
        className="composer-emoji"
        aria-label="Emoji seç"
        aria-expanded={isPicking}
        disabled={!canWrite}
        onClick={on.onTogglePicker}
      >
        <SmileIcon size={22} />
      </button>
      <textarea
        ref={field}
        id={fieldId}
        dir="auto"
        className="composer-field"
        aria-label="Mesaj yaz"
        placeholder={placeholder}
        disabled={!canWrite}
        rows={1}
        maxLength={MAX_MESSAGE_LENGTH}
        enterKeyHint="send"
        autoComplete="off"
        value={text}
        onChange={(event) => on.onType(event.target.value)}
        onKeyDown={sendOnEnter}
      />
      {text.length > SHOW_REMAINING_FROM && <span className="composer-left">{MAX_MESSAGE_LENGTH - text.length}</span>}
      <span className="composer-tools">{tools}</span>
      <button
        type="submit"
        className="composer-send"
        data-ready={text.trim() !== ''}
        disabled={!canWrite}
        // The field keeps the focus, so the phone's keyboard stays.
        onPointerDown={(event) => event.preventDefault()}
      >
        <span className="visually-hidden">Gönder</span>
        {sendFace}
      </button>
    </div>
  )
}

const loadExtras = () => import('./composer-extras.lazy.tsx')

/** The parts that typing does not need, which load after the composer, and whether the emoji picker is open in them. */
function useExtras() {
  const extras = useLazy(loadExtras)
  const [isPicking, setPicking] = useState(false)
  const closePicker = useCallback(() => setPicking(false), [])
  const togglePicker = (): void => {
    setPicking(!isPicking)
    showLoadingWhile(loadExtras()).catch((error) => {
      toastLoadFailure(error)
      setPicking(false)
    })
  }
  return { extras, isPicking, togglePicker, closePicker }
}
