import type { ReactNode } from 'react'
import { CloseIcon } from '../../../core/ui/lazy-icons.tsx'
import type { MediaUpload } from '../store/message-types.ts'

const RADIUS = 23
const CIRCUMFERENCE = 2 * Math.PI * RADIUS

interface UploadProps {
  upload: MediaUpload
  onCancel: () => void
}

/** The upload of a picture or video: a ring around the button that cancels it. */
export function UploadRing({ upload, onCancel }: UploadProps): ReactNode {
  const isWaiting = upload.state === 'waiting'
  const length = { strokeDasharray: CIRCUMFERENCE, strokeDashoffset: CIRCUMFERENCE * (1 - shareOf(upload)) }
  return (
    <div className="upload" data-state={upload.state}>
      <CancelButton onCancel={onCancel}>
        <svg className="upload-ring" viewBox="0 0 52 52" aria-hidden="true">
          <circle cx="26" cy="26" r={RADIUS} />
          <circle cx="26" cy="26" r={RADIUS} style={isWaiting ? {} : length} />
        </svg>
      </CancelButton>
      <UploadText upload={upload} />
    </div>
  )
}

/** The upload of a recording, below its player. */
export function UploadBar({ upload, onCancel }: UploadProps): ReactNode {
  return (
    <div className="upload-bar" data-state={upload.state}>
      <span>
        <span style={{ scale: `${shareOf(upload)} 1` }} />
      </span>
      <UploadText upload={upload} />
      <CancelButton onCancel={onCancel} />
    </div>
  )
}

function CancelButton({ onCancel, children }: { onCancel: () => void; children?: ReactNode }): ReactNode {
  return (
    <button type="button" aria-label="Yüklemeyi iptal et" onClick={onCancel}>
      {children}
      <CloseIcon />
    </button>
  )
}

function UploadText({ upload }: { upload: MediaUpload }): ReactNode {
  const percent = Math.floor(shareOf(upload) * 100)
  const text = upload.state === 'waiting' ? 'Bekliyor' : `%${percent}`
  return (
    <span
      role="progressbar"
      aria-label="Yükleme"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text}
    >
      {text}
    </span>
  )
}

/** How much of the file is sent, from 0 to 1. */
function shareOf({ sentBytes, totalBytes }: MediaUpload): number {
  return totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : 0
}
