import { decode } from '@msgpack/msgpack'
import { type EventName, events } from '../../shared/protocol/catalogue.ts'
import type { EventSpec } from '../../shared/protocol/define.ts'
import { encode, Kind } from '../../shared/protocol/frame.ts'
import type { Quote } from '../../shared/room-chat/message.ts'
import { withoutQuote } from '../../shared/text/quotes.ts'
import type { LoggedEvent } from '../database/events.ts'
import { mayHear, type Verdict, type Viewer, verdictOn } from './visibility.ts'

/** What words say of whom they answer, where they do. */
type Answering = { replyTo?: Quote }

/** An event as somebody gets it: its payload, and the value of a frame with it. */
interface Form {
  payload: Uint8Array
  value: Uint8Array
}

/**
 * An event on its way to those who may hear it. It is encoded once for all of them, from the payload as the log keeps it,
 * and, the first time that somebody needs it so, once more without its quote.
 */
export class Told {
  readonly row: LoggedEvent
  readonly spec: Partial<EventSpec>
  /** It has to do with the end of the connections that hear it. */
  readonly endsLines: boolean
  private readonly whole: Form
  private readonly isForAll: boolean
  private said: Answering | null = null
  private withoutQuote: Form | null = null

  constructor(row: LoggedEvent) {
    this.row = row
    this.spec = events[row.name as EventName] ?? {} // names in the log come from the catalogue
    this.endsLines = Boolean(this.spec.closesWith || this.spec.turnsCloseInto)
    this.whole = this.form(row.payload)
    this.isForAll = row.audience === null
  }

  /** The event for this viewer; null where it is not for them. */
  formFor(viewer: Viewer): Form | null {
    // Nearly every event is for all, and hardly anybody has blocked somebody: for them nothing is weighed or opened.
    if (this.isForAll && viewer.blocked.size === 0) return this.whole
    switch (this.verdict(viewer)) {
      case 'deliver':
        return this.whole
      case 'withholdQuote':
        this.withoutQuote ??= this.form(encode(withoutQuote(this.opened())))
        return this.withoutQuote
      case 'hide':
        return null
    }
  }

  private verdict(viewer: Viewer): Verdict {
    const { actorId, audience } = this.row
    if (viewer.blocked.size === 0 || !this.spec.isSpeech) return mayHear(viewer, this.row) ? 'deliver' : 'hide'
    return verdictOn(viewer, { actorId, audience, quotedId: this.opened().replyTo?.senderId ?? null })
  }

  private opened(): Answering {
    this.said ??= decode(this.row.payload) as Answering // as it was emitted
    return this.said
  }

  private form(payload: Uint8Array): Form {
    const { seq, name } = this.row
    const value = Buffer.concat([Uint8Array.of(0x94, Kind.event), encode(seq), encode(name), payload])
    return { payload, value }
  }
}
