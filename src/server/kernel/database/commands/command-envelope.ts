import type { Claims } from '../transaction.ts'

/** One command on its way to the writer, in this region or in another. */
export interface CommandEnvelope {
  command: string
  /** User and session; the writer reads the role. Null for a command without a session. */
  actor: Claims | null
  input: object
  /** Idempotency key of a retry: the client's, or `region:` and a UUID. */
  clientId: string | null
}
