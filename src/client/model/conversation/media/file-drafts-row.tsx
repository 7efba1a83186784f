import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { AlertIcon } from '../../../core/ui/icons.tsx'
import { CloseIcon } from '../../../core/ui/lazy-icons.tsx'
import { fileSize } from '../../media/file-size.ts'
import { focusField } from '../../media/focus-field.ts'
import { MusicIcon, PictureIcon, VideoIcon } from '../../media/icons.tsx'
import type { BubbleMedia } from '../store/message-types.ts'
import type { FileDraft, FileDrafts } from './file-drafts.ts'
import './file-composer.later.css'

/** The files that go with the next message, and why one was refused. Above the box of the composer. */
export function FileDraftsRow({ drafts }: { drafts: FileDrafts }): ReactNode {
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
        <ul className="file-drafts-list" aria-label="Eklenen dosyalar">
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

const icons = { image: PictureIcon, video: VideoIcon, audio: MusicIcon }

interface DraftViewProps {
  draft: FileDraft
  /** Absent until the file is stored. */
  media: BubbleMedia | undefined
  onRemove: () => void
}

function DraftView({ draft, media, onRemove }: DraftViewProps): ReactNode {
  const { name, bytes, mediaType, isReady } = draft
  const Icon = icons[mediaType]
  return (
    <li className="file-draft" aria-busy={!isReady}>
      <span className="file-draft-picture">
        {!isReady && <span className="spinner" />}
        {isReady && media?.thumbnailPath && <img src={media.thumbnailPath} alt="" />}
        {isReady && !media?.thumbnailPath && <Icon />}
      </span>
      <span className="file-draft-text">
        <bdi className="truncate semibold">{name}</bdi>
        <span className="faint tabular">{fileSize(bytes)}</span>
      </span>
      <button type="button" className="icon-button" aria-label={`${name} dosyasını çıkar`} onClick={onRemove}>
        <CloseIcon size={16} />
      </button>
    </li>
  )
}
