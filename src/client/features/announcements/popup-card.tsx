import createPurifier from 'dompurify'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { allowedPopupAttributes, allowedPopupTags } from '../../../shared/announcements/popup-html.ts'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import { CloseIcon } from '../../core/ui/lazy-icons.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'

const purify = createPurifier(window)
// Links open a new tab and send no referrer.
purify.addHook('afterSanitizeAttributes', (element) => {
  if (element.tagName !== 'A') return
  element.setAttribute('target', '_blank')
  element.setAttribute('rel', 'noopener noreferrer nofollow')
})

interface PopupCardProps {
  popup: EventPayload<'popupNotification'>
  /** Absent in a preview, which is no dialog. */
  close?: () => void
}

/** One popup, as its receivers see it. */
export function PopupCard({ popup, close }: PopupCardProps): ReactNode {
  const nameId = useId()
  const { senderId, senderGender, senderUsername, senderAvatarUrl, message, imagePath } = popup
  return (
    <section
      className="popup"
      role={close ? 'dialog' : undefined}
      aria-labelledby={nameId}
      onKeyDown={(event) => {
        if (!close || event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
    >
      <header>
        <Avatar user={{ id: senderId, gender: senderGender, avatarUrl: senderAvatarUrl, isGuest: false }} size={40} />
        <h2 id={nameId} className="grow truncate">
          <button type="button" className="truncate" data-person={senderUsername} aria-haspopup="dialog">
            <bdi>{senderUsername}</bdi>
          </button>
        </h2>
        {close && (
          <button type="button" className="icon-button" aria-label="Kapat" onClick={close}>
            <CloseIcon />
          </button>
        )}
      </header>
      <div>
        <SanitizedHtml html={message} />
        {imagePath !== null && <img src={imagePath} alt="" />}
      </div>
    </section>
  )
}

/** HTML that the server has sanitized, sanitized again in the browser. */
function SanitizedHtml({ html }: { html: string }): ReactNode {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    container.current?.replaceChildren(cleanHtml(html))
  }, [html])
  return <div ref={container} className="popup-message" dir="auto" />
}

/** Removes everything from a popup's HTML that could run, load or cover anything, and returns nodes for the page. */
function cleanHtml(html: string): DocumentFragment {
  return purify.sanitize(html, {
    ALLOWED_TAGS: [...allowedPopupTags],
    ALLOWED_ATTR: [...allowedPopupAttributes],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
}
