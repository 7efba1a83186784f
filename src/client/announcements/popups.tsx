import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { EventPayload } from '../../shared/protocol/catalogue.ts'
import { signal } from '../signal.ts'
import { Avatar } from '../ui/avatar.tsx'
import { CloseIcon } from '../ui/lazy-icons.tsx'
import { mountPortal } from '../ui/mount-portal.ts'
import { useSignalValue } from '../use-signal-value.ts'
import { cleanHtml } from './clean-html.ts'
import './popups.css'

/** A popup on the screen; `key` is unique in this tab. */
type Popup = EventPayload<'popupNotification'> & { key: number }

const popups = signal<readonly Popup[]>([])
const noPopups: readonly Popup[] = []
let lastKey = 0

/** Shows a popup on top of the open ones; it stays until it is closed. */
export function showPopup(popup: EventPayload<'popupNotification'>): void {
  popups.value = [...popups.peek(), { ...popup, key: ++lastKey }]
  // The focus stays where it is; screen readers announce the popup.
  const announcer = document.querySelector('#announcer')
  if (announcer) announcer.textContent = `${popup.senderUsername} bir duyuru gönderdi.`
}

function Popups(): ReactNode {
  const open = useSignalValue(popups, noPopups)
  if (open.length === 0) return null
  return (
    <div className="popups">
      {open.map((popup) => (
        <PopupCard key={popup.key} popup={popup} />
      ))}
    </div>
  )
}

function PopupCard({ popup }: { popup: Popup }): ReactNode {
  const nameId = useId()
  const { key, senderId, senderGender, senderUsername, senderAvatarUrl, message, imagePath } = popup
  const close = (): void => {
    popups.value = popups.peek().filter((open) => open.key !== key)
  }
  return (
    <section
      className="popup"
      role="dialog"
      aria-labelledby={nameId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }}
    >
      <header className="popup-head">
        <Avatar user={{ id: senderId, gender: senderGender, avatarUrl: senderAvatarUrl, isGuest: false }} size={40} />
        <h2 id={nameId}>
          <button type="button" className="popup-sender" data-person={senderUsername} aria-haspopup="dialog">
            <bdi>{senderUsername}</bdi>
          </button>
        </h2>
        <button type="button" className="icon-button" aria-label="Kapat" onClick={close}>
          <CloseIcon />
        </button>
      </header>
      <div className="popup-body">
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
  return <div ref={container} className="popup-message" />
}

mountPortal('popups', <Popups />)
