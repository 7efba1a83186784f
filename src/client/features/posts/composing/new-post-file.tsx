import { type ChangeEvent, type ReactNode, type RefObject, useRef } from 'react'
import type { PostType } from '../../../../shared/posts/post.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { CloseIcon } from '../../../core/ui/lazy-icons.tsx'
import { FileDrop } from '../../../model/conversation/media/file-drop.tsx'
import { fileSize } from '../../../model/media/file-size.ts'
import { UploadIcon } from '../icons.tsx'
import { ACCEPTED_FILES, type DraftFile, type PostDraft } from './post-draft.ts'

const texts = {
  photo: { choose: 'Fotoğraf seç', hint: 'JPEG, PNG, WebP, GIF ya da AVIF, en fazla 20 MB' },
  video: { choose: 'Video seç', hint: 'MP4 ya da WebM, en fazla 100 MB' },
} as const satisfies Record<PostType, object>

/** The file of a new post: picked, dropped or pasted. */
export function NewPostFile({ draft }: { draft: PostDraft }): ReactNode {
  const area = useRef<HTMLElement | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const type = useSignalValue(draft.type, draft.type.peek())
  const file = useSignalValue(draft.file, null)
  const problem = useSignalValue(draft.problem, null)
  const isSending = useSignalValue(draft.status, draft.status.peek()).state === 'sending'
  const remove = (): void => {
    draft.remove()
    input.current?.focus()
  }
  return (
    <div
      className="stack"
      ref={(element) => {
        area.current = element?.closest('dialog') ?? null
      }}
    >
      {file && (
        <Preview
          type={type}
          file={file}
          isSending={isSending}
          onRemove={remove}
          onUnreadable={() => draft.onUnreadable()}
        />
      )}
      <FileInput input={input} draft={draft} />
      <p id="new-post-problem" className="field-error" role="alert">
        {problem}
      </p>
      <FileDrop area={area} onFiles={([dropped]) => dropped && draft.choose(dropped)}>
        Dosyayı buraya bırak
      </FileDrop>
    </div>
  )
}

/** The button that opens the browser's choice of files, for the type of the post. */
function FileInput({ input, draft }: { input: RefObject<HTMLInputElement | null>; draft: PostDraft }): ReactNode {
  const type = useSignalValue(draft.type, draft.type.peek())
  const isChosen = useSignalValue(draft.file, null) !== null
  const isInvalid = useSignalValue(draft.problem, null) !== null
  const isSending = useSignalValue(draft.status, draft.status.peek()).state === 'sending'
  const pick = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const [picked] = currentTarget.files ?? []
    // The same file can be picked again.
    currentTarget.value = ''
    if (picked) draft.choose(picked, true)
  }
  return (
    <label className="new-post-choose" data-chosen={isChosen} data-invalid={isInvalid}>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        data-post-file
        accept={ACCEPTED_FILES[type]}
        aria-invalid={isInvalid}
        aria-describedby="new-post-problem"
        disabled={isSending}
        onChange={pick}
      />
      <UploadIcon size={isChosen ? 18 : 32} />
      <span className="strong bold">{isChosen ? 'Başka bir dosya seç' : texts[type].choose}</span>
      {!isChosen && (
        <>
          <span className="faint small">{texts[type].hint}</span>
          <span className="faint small new-post-drop-hint">Buraya sürükleyebilir ya da yapıştırabilirsin.</span>
        </>
      )}
    </label>
  )
}

interface PreviewProps {
  type: PostType
  file: DraftFile
  isSending: boolean
  onRemove: () => void
  onUnreadable: () => void
}

function Preview({ type, file: { file, url }, isSending, onRemove, onUnreadable }: PreviewProps): ReactNode {
  return (
    <div className="new-post-preview">
      {type === 'photo' ? (
        <img src={url} alt="Seçilen fotoğraf" onError={onUnreadable} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: a file of the viewer's own
        <video src={url} aria-label="Seçilen video" controls playsInline preload="metadata" />
      )}
      <p>
        <bdi>{file.name}</bdi> <span>{fileSize(file.size)}</span>
      </p>
      {!isSending && (
        <button type="button" className="icon-button" aria-label="Dosyayı çıkar" onClick={onRemove}>
          <CloseIcon size={18} />
        </button>
      )}
    </div>
  )
}
