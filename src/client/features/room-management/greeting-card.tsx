import type { ReactNode } from 'react'
import { signal } from '../../core/signals/signal.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { CloseIcon } from '../../core/ui/lazy-icons.tsx'
import { mountPortal } from '../../core/ui/mount-portal.ts'
import type { ShownGreeting } from './entry-greeting.ts'
import './greeting-card.css'

const shown = signal<ShownGreeting | null>(null)

/** Shows the greeting of a room above its messages, or takes it away. */
export function showGreeting(greeting: ShownGreeting | null): void {
  shown.value = greeting
}

function GreetingCard(): ReactNode {
  const greeting = useSignalValue(shown, null)
  return (
    <div role="status">
      {greeting && (
        <section className="room-greeting" aria-label={`#${greeting.roomName} karşılaması`}>
          <div>
            <p className="small bold accent">
              <bdi>#{greeting.roomName}</bdi>
            </p>
            <p dir="auto">{greeting.text}</p>
          </div>
          <button
            type="button"
            className="icon-button"
            aria-label="Karşılama mesajını kapat"
            onClick={() => showGreeting(null)}
          >
            <CloseIcon size={18} />
          </button>
        </section>
      )}
    </div>
  )
}

// In the frame, which stays when the user moves to another room.
mountPortal('room-greeting', <GreetingCard />, document.querySelector('.room-frame') ?? document.body)
