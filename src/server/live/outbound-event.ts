import { decode } from '@msgpack/msgpack'
import { type EventName, events } from '../../shared/protocol/catalogue.ts'
import type { EventSpec } from '../../shared/protocol/define.ts'
import { encode, Kind } from '../../shared/protocol/frame.ts'
import type { Quote } from '../../shared/room-chat/message.ts'
import { redactQuote } from '../../shared/room-chat/quotes.ts'
import type { LoggedEvent } from '../database/events.ts'
import { canReceive, type Verdict, type Viewer, visibilityVerdict } from './visibility.ts'

/** What words say of whom they answer, where they do. */
type Quoting = { replyTo?: Quote }

/** An event as somebody gets it: its payload, and the value of a frame with it. */
interface EncodedEvent {
  payload: Uint8Array
  value: Uint8Array
}

/**
 * An event on its way to those who may hear it. It is encoded once for all of them, from the payload as the log keeps it,
 * and, the first time that somebody needs it so, once more without its quote.
 */
export class OutboundEvent {
  readonly row: LoggedEvent
  readonly spec: Partial<EventSpec>
  /** It has to do with the end of the connections that hear it. */
  readonly affectsConnectionEnd: boolean
  private readonly encodedWhole: EncodedEvent
  private readonly isForAll: boolean
  private decoded: Quoting | null = null
  private encodedWithoutQuote: EncodedEvent | null = null

  constructor(row: LoggedEvent) {
    this.row = row
    this.spec = events[row.name as EventName] ?? {} // names in the log come from the catalogue
    this.affectsConnectionEnd = Boolean(this.spec.closeCode || this.spec.closeCodeOverride)
    this.encodedWhole = this.encodeWith(row.payload)
    this.isForAll = row.audience === null
  }

  /** The event for this viewer; null where it is not for them. */
  encodedFor(viewer: Viewer): EncodedEvent | null {
    // Nearly every event is for all, and hardly anybody has blocked somebody: for them nothing is weighed or opened.
    if (this.isForAll && viewer.blockedIds.size === 0) return this.encodedWhole
    switch (this.verdict(viewer)) {
      case 'deliver':
        return this.encodedWhole
      case 'withholdQuote':
        this.encodedWithoutQuote ??= this.encodeWith(encode(redactQuote(this.decodePayload())))
        return this.encodedWithoutQuote
      case 'hide':
        return null
    }
  }

  private verdict(viewer: Viewer): Verdict {
    const { actorId, audience } = this.row
    if (viewer.blockedIds.size === 0 || !this.spec.hiddenByBlock)
      return canReceive(viewer, this.row) ? 'deliver' : 'hide'
    return visibilityVerdict(viewer, { actorId, audience, quotedId: this.decodePayload().replyTo?.senderId ?? null })
  }

  private decodePayload(): Quoting {
    this.decoded ??= decode(this.row.payload) as Quoting // as it was emitted
    return this.decoded
  }

  private encodeWith(payload: Uint8Array): EncodedEvent {
    const { seq, name } = this.row
    const value = Buffer.concat([Uint8Array.of(0x94, Kind.event), encode(seq), encode(name), payload])
    return { payload, value }
  }
}
