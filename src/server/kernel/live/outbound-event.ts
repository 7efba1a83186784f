import type { EventPayload, LoggedEventName } from '../../../shared/protocol/catalogue.ts'
import type { EventEffect } from '../../../shared/protocol/define.ts'
import { encode, Kind } from '../../../shared/protocol/frame.ts'
import { unreachable } from '../../../shared/protocol/unreachable.ts'
import type { Quote } from '../../../shared/room-chat/message.ts'
import { redactQuote } from '../../../shared/room-chat/redacted-quotes.ts'
import { decodeEventPayload, type LoggedEvent, specOfEvent } from '../database/events/logged-event.ts'
import { canReceive, isShownAsGhost, type Verdict, type Viewer, visibilityVerdict } from './visibility.ts'

/** An encoded event: the payload alone, and the frame value that contains it. */
interface EncodedEvent {
  payload: Uint8Array
  value: Uint8Array
}

type QuoteChange = (payload: { replyTo?: Quote | undefined }) => object

const quoteChanges: Record<Exclude<Verdict, 'hide'>, QuoteChange> = {
  deliver: (payload) => payload,
  withholdQuote: redactQuote,
}

/**
 * A logged event, encoded for delivery: once for all receivers with the stored payload, and at most once more for each
 * variant: with an unavailable quote, for receivers who have blocked the quoted author, and marked as a ghost's, for root
 * admins.
 */
export class OutboundEvent {
  readonly row: LoggedEvent
  readonly effect: EventEffect
  private readonly hiddenByBlock: boolean
  private readonly encodedWhole: EncodedEvent
  private readonly isForAll: boolean
  private readonly marksGhosts: boolean
  private decoded: EventPayload<LoggedEventName> | null = null
  private readonly variants = new Map<string, EncodedEvent>()

  constructor(row: LoggedEvent) {
    this.row = row
    const spec = specOfEvent(row.name)
    this.effect = spec?.effect ?? 'none'
    this.hiddenByBlock = spec?.hiddenByBlock ?? false
    this.encodedWhole = this.encodeWith(row.payload)
    this.isForAll = row.audience === null
    this.marksGhosts = spec?.marksGhosts ?? false
  }

  /** The encoded event for this viewer; null when the viewer must not receive it. */
  encodedFor(viewer: Viewer): EncodedEvent | null {
    // Fast path without decoding: most events have no audience, and few users have blocked anybody.
    if (this.isForAll && viewer.blockedIds.size === 0) return this.encodedWhole
    const verdict = this.verdict(viewer)
    switch (verdict) {
      case 'deliver':
      case 'withholdQuote':
        return this.variant(verdict, this.marksGhosts && isShownAsGhost(viewer, this.row))
      case 'hide':
        return null
      default:
        return unreachable(verdict)
    }
  }

  private verdict(viewer: Viewer): Verdict {
    const { actorId, audience } = this.row
    if (viewer.blockedIds.size === 0 || !this.hiddenByBlock) return canReceive(viewer, this.row) ? 'deliver' : 'hide'
    const payload = this.decodePayload()
    const quotedId = 'replyTo' in payload ? (payload.replyTo?.senderId ?? null) : null
    return visibilityVerdict(viewer, { actorId, audience, quotedId })
  }

  private variant(verdict: Exclude<Verdict, 'hide'>, asGhost: boolean): EncodedEvent {
    if (verdict === 'deliver' && !asGhost) return this.encodedWhole
    const key = `${verdict} ${asGhost}`
    const known = this.variants.get(key)
    if (known) return known
    const payload = this.decodePayload()
    const shown = 'replyTo' in payload ? quoteChanges[verdict](payload) : payload
    const encoded = this.encodeWith(encode(asGhost ? { ...shown, isGhost: true } : shown))
    this.variants.set(key, encoded)
    return encoded
  }

  private decodePayload(): EventPayload<LoggedEventName> {
    this.decoded ??= decodeEventPayload(this.row)
    return this.decoded
  }

  private encodeWith(payload: Uint8Array): EncodedEvent {
    const { seq, name } = this.row
    const value = Buffer.concat([Uint8Array.of(0x94, Kind.event), encode(seq), encode(name), payload])
    return { payload, value }
  }
}
