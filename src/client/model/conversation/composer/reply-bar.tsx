import { type ReactNode, type RefObject, useEffect } from 'react'
import { MAX_COMPOSER_QUOTE_LENGTH } from '../../../../shared/room-chat/limits.ts'
import { messageQuote } from '../../../../shared/room-chat/quotes.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { CloseIcon } from '../../../core/ui/lazy-icons.tsx'
import { useConversation } from '../conversation-context.ts'

/** The message that the next one replies to, until that is sent, or until Esc or the button cancels it. */
export function ReplyBar({ field }: { field: RefObject<HTMLTextAreaElement | null> }): ReactNode {
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
