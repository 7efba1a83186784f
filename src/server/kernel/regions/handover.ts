import type { Logger } from 'pino'
import type { Position } from '../database/position.ts'
import type { LinkedRegion } from './link/link-server.ts'
import type { LiteFsClient } from './litefs/litefs-client.ts'
import type { PositionWaiter } from './replication/position-waiter.ts'

/** The next candidate is tried when one has not taken the lease within this. */
const HANDOVER_TIMEOUT_MS = 2_000
/** Limit of a candidate's catching up; together with fetching files it stays within HANDOVER_TIMEOUT_MS. */
const CATCH_UP_TIMEOUT_MS = 1_000
/** Limit of a candidate's fetching of files that only the primary has. */
const PROMOTION_FETCH_TIMEOUT_MS = 500

export interface HandoverOptions {
  litefs: LiteFsClient
  regions: LinkedRegion[]
  /** The last position of the closed database. */
  position: Position
  log: Logger
}

/** The primary's side: offers the lease to one candidate after another, the newest position first. */
export async function offerLease({ litefs, regions, position, log }: HandoverOptions): Promise<void> {
  const txidOf = (candidate: LinkedRegion) => candidate.position()?.txid ?? ''
  const candidates = regions.filter(({ isCandidate }) => isCandidate)
  candidates.sort((a, b) => (txidOf(a) < txidOf(b) ? 1 : -1))
  for (const { region, send } of candidates) {
    send({ kind: 'handOver', position })
    if (await waitForOtherLeader(litefs)) return void log.info({ region }, 'handed the lease over')
    log.warn({ region }, 'handover refused or timed out')
  }
}

export interface AcceptLeaseOptions {
  litefs: LiteFsClient
  position: Position
  positionWaiter: Pick<PositionWaiter, 'waitFor'>
  fetchFiles: () => Promise<unknown>
  /** False once the link to the primary that offered the lease has ended or been replaced. */
  isStillOffered: () => boolean
  log: Logger
}

/** The candidate's side: waits until it has the primary's last position, then asks its LiteFS for the lease. */
export async function acceptLease(options: AcceptLeaseOptions): Promise<void> {
  const { litefs, position, positionWaiter, fetchFiles, isStillOffered, log } = options
  if (!(await positionWaiter.waitFor(position, CATCH_UP_TIMEOUT_MS))) return
  await Promise.race([fetchFiles(), new Promise((resolve) => setTimeout(resolve, PROMOTION_FETCH_TIMEOUT_MS))])
  if (!isStillOffered()) return
  await litefs.promote().catch((error: Error) => log.warn({ err: error }, 'promotion failed'))
}

function waitForOtherLeader(litefs: LiteFsClient): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), HANDOVER_TIMEOUT_MS)
    const check = () => {
      if (litefs.leader().is === 'self') return
      clearTimeout(timer)
      resolve(true)
    }
    litefs.onLeaderChange(check)
    check()
  })
}
