import { useEffect, useState } from 'react'
import { FILE_TOO_LARGE, MAX_FILE_BYTES, PICTURE_TYPES, PICTURE_UNREADABLE } from '../../../../shared/media/rules.ts'
import { showLoadingWhile } from '../../../core/loading/loading-indicator.ts'
import { toastLoadFailure } from '../../../core/shell/toasts/toast.ts'
import { type CropArea, cropPicture, decodePicture } from './crop-picture.ts'

/** The unsaved change of the own avatar; `url` is an object URL of the preview. */
export type AvatarChange = 'unchanged' | 'removed' | { file: Blob; url: string }

/** A picture that is being cropped. */
interface CropSession {
  picture: HTMLImageElement
  url: string
  AvatarCropper: typeof import('./avatar-cropper.tsx').AvatarCropper
}

/** The avatar of the profile editor: choosing, cropping, removing, and its error. */
export function useAvatar() {
  const [face, setFace] = useState<AvatarChange>('unchanged')
  const [cropping, setCropping] = useState<CropSession | null>(null)
  const [error, setError] = useState<string | null>(null)
  useRevokeObjectUrl(typeof face === 'object' ? face.url : null)
  useRevokeObjectUrl(cropping?.url ?? null)

  const choose = async (file: File): Promise<void> => {
    setError(null)
    if (!PICTURE_TYPES.some((type) => type === file.type)) return setError(PICTURE_UNREADABLE)
    if (file.size > MAX_FILE_BYTES) return setError(FILE_TOO_LARGE)
    const url = URL.createObjectURL(file)
    const picture = await decodePicture(url).catch(() => null)
    if (picture === null) {
      URL.revokeObjectURL(url)
      return setError(PICTURE_UNREADABLE)
    }
    try {
      const { AvatarCropper } = await showLoadingWhile(import('./avatar-cropper.tsx'))
      setCropping({ picture, url, AvatarCropper: AvatarCropper })
    } catch (failure) {
      URL.revokeObjectURL(url)
      toastLoadFailure(failure)
    }
  }
  const crop = async (area: CropArea): Promise<void> => {
    if (!cropping) return
    const file = await cropPicture(cropping.picture, area).catch(() => null)
    setCropping(null)
    if (file) setFace({ file, url: URL.createObjectURL(file) })
    else setError(PICTURE_UNREADABLE)
  }
  const remove = (): void => {
    setError(null)
    setFace(face === 'unchanged' ? 'removed' : 'unchanged')
  }
  return { face, cropping, error, setError, choose, crop, remove, cancel: () => setCropping(null) }
}

/** Revokes an object URL when it changes or the component unmounts. */
function useRevokeObjectUrl(url: string | null): void {
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
}
