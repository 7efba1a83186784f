import {
  type ChangeEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import type { MediaType } from '../../../../shared/media/media.ts'
import { showLoadingWhile } from '../../../core/loading/loading-indicator.ts'
import { toastLoadFailure } from '../../../core/shell/toasts/toast.ts'
import { computed } from '../../../core/signals/signal.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { AlertIcon } from '../../../core/ui/icons.tsx'
import { CloseIcon } from '../../../core/ui/lazy-icons.tsx'
import { fileSize } from '../../media/file-size.ts'
import { focusField } from '../../media/focus-field.ts'
import { MicrophoneIcon, MusicIcon, PaperclipIcon, PictureIcon, VideoIcon } from '../../media/icons.tsx'
import type { Conversation } from '../conversation.ts'
import type { BubbleMedia } from '../store/message-types.ts'
import type { ConversationFiles } from './conversation-files.ts'
import type { FileDraft, FileDrafts } from './file-drafts.ts'
import { FileDrop } from './file-drop.tsx'
import './file-composer.lazy.css'

const icons = { image: PictureIcon, video: VideoIcon, audio: MusicIcon }

interface DraftViewProps {
  draft: FileDraft
  /** Absent until the file is stored. */
  media: BubbleMedia | undefined
  onRemove: () => void
}

interface VoiceProps {
  conversation: Conversation
  files: ConversationFiles
}

interface AttachButtonProps {
  conversation: Conversation
  files: ConversationFiles
}

interface ComposerFilesProps {
  conversation: Conversation
  files: ConversationFiles
}

/** The buttons of a composer that add files. */
export function FileTools(props: ComposerFilesProps): ReactNode {
  return (
    <>
      <AttachButton {...props} />
      <VoiceButton {...props} />
    </>
  )
}

/** Files and the recorder above a composer. Files are dropped and pasted anywhere in its conversation. */
export function ComposerFiles({ files }: ComposerFilesProps): ReactNode {
  const mark = useRef<HTMLSpanElement>(null)
  const area = useRef<HTMLElement>(null)
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => {
    area.current = mark.current?.closest<HTMLElement>('.direct-body, main') ?? null
    setPlace(area.current)
  }, [])
  return (
    <>
      <span ref={mark} hidden />
      <FileDraftsRow drafts={files.drafts} />
      <RecorderPlace files={files} />
      {place && createPortal(<FileDrop area={area} onFiles={(added) => files.drafts.add(added)} />, place)}
    </>
  )
}

/** Opens the browser's choice of files. Where some or all kinds are not allowed, it says why. */
function AttachButton({ conversation, files }: AttachButtonProps): ReactNode {
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

/** Opens the recorder, which loads with the first click. */
function VoiceButton({ conversation, files: { recorder }, files }: VoiceProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = useSignalValue(recorder, null) !== null
  const wasOpen = useRef(false)
  const { canWrite } = useSignalValue(conversation.permission, conversation.permission.peek())
  const refusalText = useRefusalText(files, 'audio')
  useEffect(() => {
    // It is hidden while the recorder is there.
    if (wasOpen.current && !isOpen) button.current?.focus({ preventScroll: true })
    wasOpen.current = isOpen
  }, [isOpen])
  const open = (): void => {
    showLoadingWhile(import('./voice-recorder.tsx')).then((part) => {
      recorder.value = part
    }, toastLoadFailure)
  }
  return (
    <button
      ref={button}
      type="button"
      className="composer-emoji"
      aria-label="Ses kaydet"
      aria-expanded={isOpen}
      // The recorder says why.
      aria-disabled={refusalText !== null}
      title={refusalText ?? undefined}
      disabled={!canWrite}
      onClick={open}
    >
      <MicrophoneIcon size={22} />
    </button>
  )
}

/** The open recorder, above the box of the composer. */
function RecorderPlace({ files }: Pick<VoiceProps, 'files'>): ReactNode {
  const part = useSignalValue(files.recorder, null)
  const close = useCallback(() => {
    files.recorder.value = null
  }, [files])
  return part && <part.VoiceRecorder files={files} onClose={close} />
}

/** Why files of a type, or of any type, may not be sent now, in Turkish; null where they may. */
function useRefusalText(files: ConversationFiles, mediaType?: MediaType): string | null {
  const text = useMemo(
    () => computed(() => (mediaType ? (files.check(mediaType)?.body.message ?? null) : files.refusalText())),
    [files, mediaType],
  )
  return useSignalValue(text, null)
}

/** The files that go with the next message, and why one was refused. Above the box of the composer. */
function FileDraftsRow({ drafts }: { drafts: FileDrafts }): ReactNode {
  const row = useRef<HTMLDivElement>(null)
  const list = useSignalValue(drafts.list, [])
  const media = useSignalValue(drafts.media, drafts.media.peek())
  const problem = useSignalValue(drafts.problem, null)
  useSendWhenReady(drafts, row)
  useEffect(() => {
    const form = row.current?.closest('form')
    const clear = (): void => drafts.clearProblem()
    form?.addEventListener('input', clear)
    return () => form?.removeEventListener('input', clear)
  }, [drafts])
  const remove = (key: string): void => {
    drafts.remove(key)
    focusField(row.current?.closest('form'))
  }
  return (
    <div ref={row} className="file-drafts">
      {problem !== null && (
        <p className="notice-pill notice-pill--warning" role="alert">
          <AlertIcon size={16} />
          <span>{problem}</span>
        </p>
      )}
      {list.length > 0 && (
        <ul aria-label="Eklenen dosyalar">
          {list.map((draft) => (
            <DraftView key={draft.key} draft={draft} media={media.get(draft.key)} onRemove={() => remove(draft.key)} />
          ))}
        </ul>
      )}
    </div>
  )
}

/** Sends when the files that the viewer wanted to send are ready. */
function useSendWhenReady({ list, isSendWanted }: FileDrafts, row: RefObject<HTMLElement | null>): void {
  const mustSend = useSignalValue(isSendWanted, false)
  const isReady = useSignalValue(list, []).every((draft) => draft.isReady)
  useEffect(() => {
    if (!mustSend || !isReady) return
    isSendWanted.value = false
    row.current?.closest('form')?.requestSubmit()
  }, [mustSend, isReady, isSendWanted, row])
}

function DraftView({ draft, media, onRemove }: DraftViewProps): ReactNode {
  const { name, bytes, mediaType, isReady } = draft
  const Icon = icons[mediaType]
  return (
    <li className="file-draft" aria-busy={!isReady}>
      <span>
        {!isReady && <span className="spinner" />}
        {isReady && media?.thumbnailPath && <img src={media.thumbnailPath} alt="" />}
        {isReady && !media?.thumbnailPath && <Icon />}
      </span>
      <span>
        <bdi className="truncate semibold">{name}</bdi>
        <span className="faint tabular">{fileSize(bytes)}</span>
      </span>
      <button type="button" className="icon-button" aria-label={`${name} dosyasını çıkar`} onClick={onRemove}>
        <CloseIcon size={16} />
      </button>
    </li>
  )
}
