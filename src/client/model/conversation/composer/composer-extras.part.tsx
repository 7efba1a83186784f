import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import { usePart } from '../../../core/loading/use-part.ts'
import type { Signal } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { trackVirtualKeyboard } from '../../../core/ui/virtual-keyboard.ts'
import { useConversation } from '../conversation-context.ts'
import { ComposerNotice } from './composer-notice.tsx'
import { LazyEmojiPicker } from './lazy-emoji-picker.tsx'
import { MentionList } from './mention-list.tsx'
import { ReplyBar } from './reply-bar.tsx'
import { SendFace } from './send-face.tsx'
import { typingIndicatorOf, typingText } from './typing-indicator.ts'
import { UnfittedText } from './unfitted-text.tsx'
import { useAutoGrow } from './use-auto-grow.ts'
import { type DeferredSend, useDeferredSend } from './use-deferred-send.ts'
import './composer-extras.css'

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
      <UnfittedText field={field} unfitted={unfitted} />
      <TypingText viewerId={viewerId} />
      <ReplyBar field={field} />
      {loadSource && <MentionList field={field} text={text} viewerId={viewerId} loadSource={loadSource} />}
      <Files is="ComposerFiles" />
      {isPicking && <LazyEmojiPicker field={field} onClose={onPickerClosed} />}
    </>
  )
}

export { SendFace }

/** The buttons of the box that add files. */
export function ComposerTools(): ReactNode {
  return <Files is="FileTools" />
}

type FileParts = typeof import('../media/composer-files.part.tsx')

const loadFileParts = (): Promise<FileParts> => import('../media/composer-files.part.tsx')

/** A part for the files of the conversation, once both are loaded. */
function Files({ is }: { is: keyof FileParts }): ReactNode {
  const conversation = useConversation()
  const files = useSignalValue(conversation.files, conversation.files.peek())
  const parts = usePart(loadFileParts)
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
