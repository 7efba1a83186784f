import { type ReactNode, useId, useState } from 'react'
import { FILE_TOO_LARGE, MAX_FILE_BYTES, PICTURE_TYPES, PICTURE_UNREADABLE } from '../../shared/media/rules.ts'
import type { RoomId } from '../../shared/protocol/ids.ts'
import { BACKGROUND_SAVED } from '../../shared/room-management/texts.ts'
import type { RoomManagementSectionProps } from '../rooms/room-management-section.ts'
import { toast } from '../shell/toasts/toast.ts'
import { removeBackground, saveBackground } from './room-settings.ts'
import './background-section.css'
import '../ui/field.css'

/** The picture behind the room's messages: chosen, saved at once, removed. */
export function BackgroundSection({ roomId, details, reload }: RoomManagementSectionProps): ReactNode {
  const { backgroundImage, smallBackgroundImage, name } = details.room
  const { isBusy, error, choose, remove } = useBackground(roomId, reload)
  const errorId = useId()
  const shown = smallBackgroundImage ?? backgroundImage
  return (
    <div className="room-section">
      <p className="room-section-text">Mesajların arkasında, yazılar okunacak kadar soluk gösterilir.</p>
      {shown && <img className="background-preview" src={`/uploads/${shown}`} alt={`#${name} odasının arka planı`} />}
      <div className="background-actions">
        <label className="button button--accent" aria-disabled={isBusy}>
          <input
            className="visually-hidden"
            type="file"
            accept={PICTURE_TYPES.join(',')}
            aria-describedby={errorId}
            disabled={isBusy}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) void choose(file)
              target.value = '' // so that the same file can be chosen again
            }}
          />
          {isBusy && <span className="spinner" />}
          {shown ? 'Değiştir' : 'Resim seç'}
        </label>
        {shown && (
          <button type="button" className="button" aria-disabled={isBusy} onClick={() => void remove()}>
            Kaldır
          </button>
        )}
      </div>
      <p id={errorId} className={error ? 'field-error' : 'field-hint'} role={error ? 'alert' : undefined}>
        {error ?? 'JPEG, PNG, WebP, GIF veya AVIF; en fazla 20 MB.'}
      </p>
    </div>
  )
}

/** Saves and removes the background, one change at a time. */
function useBackground(roomId: RoomId, reload: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const run = async (save: () => Promise<string | null>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setError(null)
    const failure = await save()
    setBusy(false)
    setError(failure)
    if (failure !== null) return
    void toast(BACKGROUND_SAVED, 'success')
    reload()
  }
  const choose = async (file: File): Promise<void> => {
    if (!PICTURE_TYPES.some((type) => type === file.type)) return setError(PICTURE_UNREADABLE)
    if (file.size > MAX_FILE_BYTES) return setError(FILE_TOO_LARGE)
    await run(() => saveBackground(roomId, file))
  }
  return { isBusy, error, choose, remove: () => run(() => removeBackground(roomId)) }
}
