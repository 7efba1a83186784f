import type { Room } from '../../../shared/rooms/protocol.ts'
import type { SafeStorage } from '../../core/platform/environment.ts'

/** A greeting on the screen. */
export interface ShownGreeting {
  roomName: string
  text: string
}

interface GreetingCard {
  showGreeting(greeting: ShownGreeting | null): void
}

const STORAGE_KEY = 'greetedRoom'

/**
 * Shows a room's greeting once an entry: a reload and a lost connection continue the same one, another room ends it. A
 * changed greeting is shown at the next page. Nothing is shown where the start of the messages, with the greeting, is.
 */
export class EntryGreeting {
  private readonly storage: SafeStorage
  private readonly loadCard: () => Promise<GreetingCard>
  private readonly isStartShown: () => boolean
  private card: GreetingCard | null = null

  /** @param isStartShown whether the start of the messages is on the screen */
  constructor(storage: SafeStorage, loadCard: () => Promise<GreetingCard>, isStartShown: () => boolean) {
    this.storage = storage
    this.loadCard = loadCard
    this.isStartShown = isStartShown
  }

  onPageOpened({ id, name, greetingMessage }: Pick<Room, 'id' | 'name' | 'greetingMessage'>): void {
    const entry = JSON.stringify([id, greetingMessage])
    if (this.storage.get(STORAGE_KEY) === entry) return
    this.storage.set(STORAGE_KEY, entry)
    this.card?.showGreeting(null)
    if (greetingMessage === null || this.isStartShown()) return
    void this.loadCard().then((card) => {
      this.card = card
      // The viewer may have gone on to another room meanwhile.
      if (this.storage.get(STORAGE_KEY) === entry) card.showGreeting({ roomName: name, text: greetingMessage })
    })
  }
}
