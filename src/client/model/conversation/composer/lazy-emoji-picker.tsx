import { type ReactNode, type RefObject, useCallback, useEffect, useState } from 'react'
import { showLoadingWhile } from '../../../core/loading/loading-indicator.ts'
import { useCloseOnBack } from '../../../core/navigation/use-close-on-back.ts'
import { toastLoadFailure } from '../../../core/shell/toasts/toast.ts'
import { insertText } from './insert-text.ts'

interface LazyEmojiPickerProps {
  field: RefObject<HTMLTextAreaElement | null>
  onClose: () => void
}

/** Loads the emoji picker when it opens; after a failure the next opening tries again. */
export function LazyEmojiPicker({ field, onClose }: LazyEmojiPickerProps): ReactNode {
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
  useCloseOnBack(close)
  return loaded && <loaded.EmojiPicker onPick={insert} onEscape={close} onClose={onClose} />
}
