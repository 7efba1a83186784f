import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useState } from 'react'
import { session } from '../../../core/session/session.ts'
import { SmileIcon } from '../../../core/ui/composer-icons.tsx'
import { trackVirtualKeyboard } from '../../../core/ui/virtual-keyboard.ts'
import { LazyEmojiPicker } from '../../../model/conversation/composer/lazy-emoji-picker.tsx'
import { MentionList } from '../../../model/conversation/composer/mention-list.tsx'
import type { MentionSource } from '../../../model/conversation/composer/mention-source.ts'
import { useAutoGrow } from '../../../model/conversation/composer/use-auto-grow.ts'
import '../../../model/conversation/composer/composer-extras.css'

interface TextFieldProps {
  field: RefObject<HTMLTextAreaElement | null>
  /** The accessible name and the placeholder. */
  label: string
  text: string
  maxLength: number
  rows?: number
  isDisabled?: boolean
  /** Who can be mentioned. It must be the same at each render. */
  loadMentionSource: () => Promise<MentionSource>
  onType: (text: string) => void
  /** Called with Enter alone; without it Enter breaks the line. */
  onEnter?: () => void
  /** Further buttons of the box. */
  children?: ReactNode
}

/** From this many left on, the field shows how many characters are left. */
const SHOW_LEFT_FROM = 100

/** A text with mentions and emoji, as the composer of messages has them. */
export function TextField(props: TextFieldProps): ReactNode {
  const { field, label, text, maxLength, rows = 1, isDisabled = false, loadMentionSource, onType, onEnter } = props
  const [isPicking, setPicking] = useState(false)
  const closePicker = useCallback(() => setPicking(false), [])
  useEffect(trackVirtualKeyboard, [])
  useAutoGrow(field, text)
  const emojiButton = (
    <button
      type="button"
      className="composer-emoji"
      aria-label="Emoji ekle"
      aria-expanded={isPicking}
      disabled={isDisabled}
      onClick={() => setPicking(!isPicking)}
    >
      <SmileIcon size={22} />
    </button>
  )
  return (
    <div className="post-field">
      <MentionList field={field} text={text} viewerId={session.userId() ?? 0} loadSource={loadMentionSource} />
      {isPicking && <LazyEmojiPicker field={field} onClose={closePicker} />}
      <div className="composer-box">
        {rows === 1 && emojiButton}
        <textarea
          dir="auto"
          ref={field}
          className="composer-field"
          aria-label={label}
          placeholder={label}
          rows={rows}
          maxLength={maxLength}
          readOnly={isDisabled}
          enterKeyHint={onEnter ? 'send' : undefined}
          autoComplete="off"
          value={text}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={(event) => pressEnter(event, onEnter)}
        />
        {rows > 1 && emojiButton}
        {text.length > maxLength - SHOW_LEFT_FROM && <span className="composer-left">{maxLength - text.length}</span>}
        {props.children}
      </div>
    </div>
  )
}

function pressEnter(event: KeyboardEvent, onEnter: (() => void) | undefined): void {
  // Enter accepts the word of an input method; Safari reports key code 229 then.
  const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
  if (!onEnter || event.key !== 'Enter' || event.shiftKey || isComposing) return
  event.preventDefault()
  onEnter()
}
