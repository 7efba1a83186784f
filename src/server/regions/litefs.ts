/** Who may write, as LiteFS says: `url` is where that region's site takes the link. */
export type Leader = { is: 'self' } | { is: 'other'; url: string } | { is: 'nobody' }

/** LiteFS under this region, as the site sees it. */
export interface LiteFs {
  leader(): Leader
  /** The local database's transaction, 16 hex digits; `''` where there is no database yet. */
  txid(): string
  /** Called at every change of the leader. */
  onLeader(listener: (leader: Leader) => void): void
  /** Something new became visible here: one transaction, many, or a snapshot. */
  onTransaction(listener: () => void): void
  /** Milliseconds behind the primary by LiteFS's own heartbeat; null while it was never connected. */
  lagMs(): number | null
  /** Asks LiteFS to make this region the primary; resolves when it is. Rejects when it is refused or takes too long. */
  promote(): Promise<void>
  close(): void
}
