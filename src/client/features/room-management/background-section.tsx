import { type ReactNode, useId, useState } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { BACKGROUND_REMOVED, BACKGROUND_SAVED } from '../../../shared/room-management/texts.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { PictureButton } from '../../model/media/picture-button.tsx'
import type { RoomManagementSectionProps } from '../../model/rooms/room-management-section.ts'
import { removeBackground, saveBackground } from './room-settings.ts'
import './background-section.css'
import '../../core/ui/forms/field.css'

/** The picture behind the room's messages: chosen, saved at once, removed. */
export function BackgroundSection({ roomId, details, reload }: RoomManagementSectionProps): ReactNode {
  const { backgroundImage, smallBackgroundImage, name } = details.room
  const { isBusy, error, choose, remove } = useBackground(roomId, reload)
  const errorId = useId()
  const shown = smallBackgroundImage ?? backgroundImage
  return (
    <div className="section">
      <p className="soft">Mesajların arkasında, yazılar okunacak kadar soluk gösterilir.</p>
      {shown && <img className="background-preview" src={`/uploads/${shown}`} alt={`#${name} odasının arka planı`} />}
      <div className="buttons">
        <PictureButton className="button button--accent" errorId={errorId} isBusy={isBusy} onChoose={choose}>
          {isBusy && <span className="spinner" />}
          {shown ? 'Değiştir' : 'Resim seç'}
        </PictureButton>
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
  const run = async (save: () => Promise<string | null>, done: string): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setError(null)
    const failure = await save()
    setBusy(false)
    setError(failure)
    if (failure !== null) return
    void toast(done, 'success')
    reload()
  }
  const choose = (picture: File | string): void => {
    if (typeof picture === 'string') setError(picture)
    else void run(() => saveBackground(roomId, picture), BACKGROUND_SAVED)
  }
  return { isBusy, error, choose, remove: () => run(() => removeBackground(roomId), BACKGROUND_REMOVED) }
}
