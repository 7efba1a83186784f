import { type ReactNode, type RefObject, useEffect } from 'react'
import { MAX_MESSAGE_LENGTH } from '../../../../shared/room-chat/limits.ts'
import type { Signal } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { countText } from '../../../core/ui/format/turkish-number.ts'

interface UnfittedTextProps {
  field: RefObject<HTMLTextAreaElement | null>
  /** The end of a pasted text, for which the field has no room. It follows when the field is sent. */
  unfitted: Signal<string>
}

/** Says how much of a pasted text did not fit, and keeps it for the next message. */
export function UnfittedText({ field, unfitted }: UnfittedTextProps): ReactNode {
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
