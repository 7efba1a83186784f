import { DIRECT_MEDIA_NOT_ALLOWED, STRANGER_MEDIA_TEXT } from '../../../shared/direct-messages/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { LiveClient } from '../../core/live/live-client.ts'
import type { OutboxEntry } from '../../core/live/outbox.ts'
import { signal } from '../../core/signals/signal.ts'
import type { MediaHiding } from '../../model/conversation/media-hiding.ts'

/** Hides a stranger's pictures and videos until the viewer writes to the stranger, or allows them. */
export class StrangerMedia implements MediaHiding {
  readonly isOn = signal(true)
  readonly reason = STRANGER_MEDIA_TEXT
  private readonly live: LiveClient
  private readonly userId: UserId

  constructor(live: LiveClient, userId: UserId) {
    this.live = live
    this.userId = userId
  }

  /** The server shows them, or the viewer has written. An older snapshot does not hide them again. */
  end(): void {
    this.isOn.value = false
  }

  async allow(): Promise<string | null> {
    const answer = await this.live.request('allowDirectMedia', { userId: this.userId })
    if (answer instanceof Refusal) return answer.body.message
    if (typeof answer === 'string') return DIRECT_MEDIA_NOT_ALLOWED
    this.end()
    return null
  }
}

export function isDirectMessage(entry: OutboxEntry): entry is OutboxEntry<'sendDirectMessage'> {
  return entry.name === 'sendDirectMessage'
}
