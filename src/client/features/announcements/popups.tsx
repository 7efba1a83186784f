import type { ReactNode } from 'react'
import type { EventPayload } from '../../../shared/protocol/catalogue.ts'
import { signal } from '../../core/signals/signal.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { mountPortal } from '../../core/ui/mount-portal.ts'
import { PopupCard } from './popup-card.tsx'
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

function closePopup(key: number): void {
  popups.value = popups.peek().filter((open) => open.key !== key)
}

function Popups(): ReactNode {
  const open = useSignalValue(popups, noPopups)
  if (open.length === 0) return null
  return (
    <div className="popups">
      {open.map((popup) => (
        <PopupCard key={popup.key} popup={popup} close={() => closePopup(popup.key)} />
      ))}
    </div>
  )
}

mountPortal('popups', <Popups />)
