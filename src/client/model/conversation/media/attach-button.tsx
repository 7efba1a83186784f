import { type ChangeEvent, type ReactNode, useRef } from 'react'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { focusField } from '../../media/focus-field.ts'
import { PaperclipIcon } from '../../media/icons.tsx'
import type { Conversation } from '../conversation.ts'
import type { ConversationFiles } from './conversation-files.ts'
import { useRefusalText } from './use-refusal-text.ts'

interface AttachButtonProps {
  conversation: Conversation
  files: ConversationFiles
}

/** Opens the browser's choice of files. Where some or all kinds are not allowed, it says why. */
export function AttachButton({ conversation, files }: AttachButtonProps): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const { canWrite } = useSignalValue(conversation.permission, conversation.permission.peek())
  const refusalText = useRefusalText(files)
  const choose = (): void => {
    const { current } = input
    const allowed = files.explain()
    if (!current || allowed.length === 0) return
    current.accept = allowed.map((kind) => `${kind}/*`).join(',')
    current.click()
  }
  const add = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    files.drafts.add([...(currentTarget.files ?? [])])
    // The same file can be picked again.
    currentTarget.value = ''
    focusField(currentTarget.form)
  }
  return (
    <>
      <input ref={input} type="file" multiple hidden data-files aria-hidden="true" tabIndex={-1} onChange={add} />
      <button
        type="button"
        className="composer-emoji"
        aria-label="Dosya ekle"
        // A click says why.
        aria-disabled={refusalText !== null}
        title={refusalText ?? undefined}
        disabled={!canWrite}
        onClick={choose}
      >
        <PaperclipIcon size={22} />
      </button>
    </>
  )
}
