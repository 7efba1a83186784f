/** What regions tell each other besides commands: MessagePack values. Never more than hints about what is kept elsewhere. */
export interface PeerBus {
  /** This region's name. */
  readonly region: string
  /** The other regions that can be reached now. */
  peers(): string[]
  /**
   * To one region, or to all others. What cannot be delivered is dropped: on `joined` everything is told anew.
   * More than a frame holds (a little less than 1 MiB) is never delivered, and logged as an error.
   */
  send(to: string | 'all', topic: string, payload: unknown): void
  /** What other regions say may be of older or newer code: listeners check it. */
  on(topic: string, listener: (from: string, payload: unknown) => void): void
  /** A region can be reached, for the first time or again: tell it everything that it should know. */
  onJoined(listener: (region: string) => void): void
  /** A region could not be reached for so long (GONE_MS) that its people count as gone. */
  onGone(listener: (region: string) => void): void
}

/** The bus of a site in one place. */
export function createEmptyPeerBus(region: string): PeerBus {
  return { region, peers: () => [], send: () => {}, on: () => {}, onJoined: () => {}, onGone: () => {} }
}
