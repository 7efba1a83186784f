import type { ReactNode, RefObject } from 'react'
import { callTexts } from '../../../../shared/calls/window-texts.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { PopOutIcon } from '../../../model/calls/icons.tsx'

/** Shows the other participant's picture above other programs, where the browser has picture-in-picture. */
export function PopOutButton({ video }: { video: RefObject<HTMLVideoElement | null> }): ReactNode {
  if (!document.pictureInPictureEnabled) return null
  const toggle = async (): Promise<void> => {
    try {
      if (document.pictureInPictureElement) await document.exitPictureInPicture()
      else await video.current?.requestPictureInPicture()
    } catch (error) {
      // Before the first frame, or refused by the system.
      console.warn(error)
      void toast(callTexts.pictureInPictureFailed, 'warning')
    }
  }
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={callTexts.pictureInPicture}
      title={callTexts.pictureInPicture}
      onClick={() => void toggle()}
    >
      <PopOutIcon />
    </button>
  )
}
