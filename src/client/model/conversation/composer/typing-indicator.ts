import type { UserId } from '../../../../shared/protocol/ids.ts'
import { isolateBidi } from '../../../../shared/text/bidi-isolate.ts'
import type { Cancel } from '../../../core/platform/environment.ts'
import { signal } from '../../../core/signals/signal.ts'
import type { Conversation } from '../conversation.ts'
import type { Typist } from '../conversation-listener.ts'

/** Interval of the typing signal while the viewer types. */
const SEND_INTERVAL_MS = 3_000
/** A user counts as typing for this long after a signal. */
const TYPING_TIMEOUT_MS = 5_000
/** More people than this are not named. */
const MAX_NAMED = 3

type ActiveTypist = Typist & { until: number }

const indicators = new WeakMap<Conversation, TypingIndicator>()

/** The one typing indicator of a conversation, made when it is needed first. */
export function typingIndicatorOf(conversation: Conversation): TypingIndicator {
  const indicator = indicators.get(conversation) ?? new TypingIndicator(conversation)
  indicators.set(conversation, indicator)
  return indicator
}

/** Who types in a conversation; signals to the other users when the viewer does. */
class TypingIndicator {
  /** All users who type, the viewer included. */
  readonly typists = signal<readonly Typist[]>([])

  private readonly conversation: Conversation
  private readonly activeTypists = new Map<UserId, ActiveTypist>()
  private lastSentAt = Number.NEGATIVE_INFINITY
  private cancelExpiry: Cancel | null = null

  constructor(conversation: Conversation) {
    this.conversation = conversation
    conversation.addListener({
      onTyping: (users) => this.addTypists(users),
      onMessage: ({ senderId }) => this.removeTypists(({ id }) => id === senderId),
      onUserLeft: (username) => this.removeTypists((typist) => typist.username === username),
      onRemoved: (senderId) => this.removeTypists(({ id }) => id === senderId),
      onUsersUpdated: (users) => this.renameTypists(users),
      onClosed: () => this.removeTypists(() => true),
    })
  }

  /** Called with every key; the signal is sent at most once per interval. */
  onInput(): void {
    const now = this.conversation.environment.now()
    if (!this.conversation.isReady() || Math.abs(now - this.lastSentAt) < SEND_INTERVAL_MS) return
    this.lastSentAt = now
    this.conversation.sendTyping()
  }

  /** The text was sent: the next key signals at once. */
  onSent(): void {
    this.lastSentAt = Number.NEGATIVE_INFINITY
  }

  private addTypists(users: readonly Typist[]): void {
    const until = this.conversation.environment.now() + TYPING_TIMEOUT_MS
    for (const { id, username } of users) this.activeTypists.set(id, { id, username, until })
    this.publishTypists()
  }

  private renameTypists(users: readonly Typist[]): void {
    const renamed = users.flatMap(({ id, username }) => {
      const typist = this.activeTypists.get(id)
      return typist && typist.username !== username ? [{ ...typist, username }] : []
    })
    for (const typist of renamed) this.activeTypists.set(typist.id, typist)
    if (renamed.length) this.publishTypists()
  }

  private removeTypists(isGone: (typist: ActiveTypist) => boolean): void {
    const departed = [...this.activeTypists.values()].filter(isGone)
    for (const { id } of departed) this.activeTypists.delete(id)
    if (departed.length) this.publishTypists()
  }

  private publishTypists(): void {
    this.cancelExpiry?.()
    const { environment } = this.conversation
    const typists = [...this.activeTypists.values()]
    this.typists.value = typists
    const next = Math.min(...typists.map(({ until }) => until))
    this.cancelExpiry = typists.length
      ? environment.setTimer(next - environment.now(), () => this.removeTypists(({ until }) => until <= next))
      : null
  }
}

/** 'Ayşe yazıyor', 'Ayşe, Mert ve Can yazıyor'; more users are not named. null when no other user types. */
export function typingText(typists: readonly Typist[], viewerId: UserId): string | null {
  const names = typists.filter(({ id }) => id !== viewerId).map(({ username }) => isolateBidi(username))
  const last = names.at(-1)
  if (last === undefined) return null
  if (names.length > MAX_NAMED) return 'Birkaç kişi yazıyor'
  return `${names.length > 1 ? `${names.slice(0, -1).join(', ')} ve ` : ''}${last} yazıyor`
}
