import type { ReactNode } from 'react'
import { CloseIcon } from '../../ui/lazy-icons.tsx'
import type { LinkToast } from './toast.ts'

/** A toast that is a link, with a button that dismisses it. */
export function LinkToastCard({ link, close }: { link: LinkToast; close: () => void }): ReactNode {
  const finish = (): void => {
    close()
    link.onClose()
  }
  return (
    <div className="toast toast--link" role="status">
      {/* Later: the browser does not follow a link that is gone. */}
      <a href={link.href} onClick={() => setTimeout(finish)}>
        <b>
          <bdi>{link.title}</bdi>
        </b>
        <span className="toast-link-text">{link.text}</span>
        {link.note !== '' && <small>{link.note}</small>}
      </a>
      <button type="button" className="icon-button" aria-label={link.dismissLabel} onClick={finish}>
        <CloseIcon size={16} />
      </button>
    </div>
  )
}
