import type { ReactNode } from 'react'
import { FILE_TOO_LARGE, MAX_FILE_BYTES, PICTURE_TYPES, PICTURE_UNREADABLE } from '../../../shared/media/rules.ts'

interface PictureButtonProps {
  className: string
  /** Of the text that says why a picture is refused. */
  errorId: string
  isBusy?: boolean
  /** Called with a picture that can be uploaded, or with the reason why a file cannot, in Turkish. */
  onChoose: (picture: File | string) => void
  children: ReactNode
}

/** Opens the browser's choice of a picture. */
export function PictureButton({
  className,
  errorId,
  isBusy = false,
  onChoose,
  children,
}: PictureButtonProps): ReactNode {
  return (
    <label className={className} aria-disabled={isBusy}>
      <input
        className="visually-hidden"
        type="file"
        accept={PICTURE_TYPES.join(',')}
        aria-describedby={errorId}
        disabled={isBusy}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onChoose(pictureProblem(file) ?? file)
          target.value = '' // so that the same file can be chosen again
        }}
      />
      {children}
    </label>
  )
}

function pictureProblem({ type, size }: File): string | null {
  if (!PICTURE_TYPES.some((known) => known === type)) return PICTURE_UNREADABLE
  return size > MAX_FILE_BYTES ? FILE_TOO_LARGE : null
}
