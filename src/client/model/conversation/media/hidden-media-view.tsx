import type { ReactNode } from 'react'
import { mediaPreviews } from '../../../../shared/media/previews.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { HiddenIcon } from '../../media/picture-icons.tsx'
import { useConversation } from '../conversation-context.ts'
import type { BubbleMedia } from '../store/message-types.ts'
import { revealMedia } from './hidden-media.ts'
import './message-files.later.css'

/** In place of a stranger's picture or video: nothing of it is loaded or drawn. */
export function HiddenMedia({ media }: { media: BubbleMedia }): ReactNode {
  const { mediaHiding } = useConversation()
  const allow = async (): Promise<void> => {
    const failure = (await mediaHiding?.allow()) ?? null
    if (failure !== null) await toast(failure, 'error')
  }
  return (
    <div className="media bubble-media media--hidden">
      <p className="media-hidden-title">
        <HiddenIcon size={18} />
        {mediaPreviews[media.mediaType]}
      </p>
      <p className="media-hidden-reason">{mediaHiding?.reason}</p>
      <button type="button" className="media-reveal" onClick={() => revealMedia(media.originalPath)}>
        Göster
      </button>
      <button type="button" className="link-button" onClick={() => void allow()}>
        Bu kişinin resimlerini göster
      </button>
    </div>
  )
}
