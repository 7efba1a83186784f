import type { UserId } from '../../../shared/protocol/ids.ts'

export interface TextScreeningTables {
  /** Messages whose text was replaced before it was stored, so that a retry with the sent text is recognised. */
  replacedText: { senderId: UserId; clientId: string; textHash: Uint8Array; replacedAt: number }
}
