import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { MAX_MESSAGE_LENGTH } from '../../shared/room-chat/limits.ts'
import { readDraft, saveDraft } from '../conversation/composer/drafts.ts'
import { showLoadingWhile } from '../loading-indicator.ts'
import { toastLoadFailure } from '../shell/toasts/toast.ts'
import { SendIcon, SmileIcon } from '../ui/icons.tsx'
import { sendRoomMessage } from './state.ts'
import '../conversation/composer/composer.css'

/** The room that is left is shown from here on. */
const SHOW_REMAINING_FROM = MAX_MESSAGE_LENGTH - 200

/** Where one writes. Enter sends, Shift+Enter breaks the line; what is typed stays until it is sent. */
export function Composer({ roomId, viewerId }: { roomId: number; viewerId: number }): ReactNode {
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const [isPicking, setPicking] = useState(false)
  const stopPicking = useCallback(() => setPicking(false), [])
  const [extras, setExtras] = useState<typeof import('../conversation/composer/composer-extras.tsx') | null>(null)
  // What is not needed to write comes after it. Where it could not be loaded, the next key or press tries again.
  const loadExtras = async (): Promise<void> => {
    if (!extras) setExtras(await import('../conversation/composer/composer-extras.tsx'))
  }
  const pick = (): void => {
    setPicking(!isPicking)
    showLoadingWhile(loadExtras()).catch((error) => {
      toastLoadFailure(error)
      setPicking(false)
    })
  }
  const loadAtFirst = useRef(loadExtras)

  useEffect(() => void loadAtFirst.current().catch(console.error), [])
  useEffect(() => {
    // What was typed before the page was live wins over what was left from before.
    setText((typed) => typed || readDraft(roomId))
    focusOnDesktop(field.current)
  }, [roomId])

  const type = (typed: string): void => {
    loadExtras().catch(console.error)
    setText(typed)
    setRefused(null)
    saveDraft(roomId, typed)
  }
  const send = (): void => {
    const refusal = sendRoomMessage(text)
    // A pause is said by itself, and so is its end (chat-limit-notice.ts).
    if (refusal) setRefused(refusal.body.waitMs === undefined ? refusal.body.message : null)
    else type('')
    field.current?.focus()
  }
  const sendOnEnter = (event: KeyboardEvent): void => {
    // While an input method composes, Enter takes its word; Safari ends the composition first and says so by 229.
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.key !== 'Enter' || event.shiftKey || isComposing) return
    event.preventDefault()
    send()
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {extras && (
        <extras.ComposerExtras
          field={field}
          text={text}
          roomId={roomId}
          viewerId={viewerId}
          refusalText={refused}
          isPicking={isPicking}
          onPickerClosed={stopPicking}
        />
      )}
      <div className="composer-box">
        <button
          type="button"
          className="composer-emoji"
          aria-label="Emoji seç"
          aria-expanded={isPicking}
          onClick={pick}
        >
          <SmileIcon size={22} />
        </button>
        <textarea
          ref={field}
          className="composer-field"
          aria-label="Mesaj yaz"
          placeholder="Mesaj yaz"
          rows={1}
          maxLength={MAX_MESSAGE_LENGTH}
          enterKeyHint="send"
          autoComplete="off"
          value={text}
          onChange={(event) => type(event.target.value)}
          onKeyDown={sendOnEnter}
        />
        {text.length > SHOW_REMAINING_FROM && <span className="composer-left">{MAX_MESSAGE_LENGTH - text.length}</span>}
        <button
          type="submit"
          className="composer-send"
          aria-label="Gönder"
          data-ready={text.trim() !== ''}
          // The field keeps the focus, so the phone's keyboard stays.
          onPointerDown={(event) => event.preventDefault()}
        >
          <SendIcon />
        </button>
      </div>
    </form>
  )
}

/** A phone's keyboard would cover what people came to read. */
function focusOnDesktop(field: HTMLTextAreaElement | null): void {
  const { activeElement, body } = document
  const isFree = activeElement === null || activeElement === body || activeElement.matches('main')
  if (isFree && matchMedia('(hover: hover) and (pointer: fine)').matches) field?.focus({ preventScroll: true })
}
