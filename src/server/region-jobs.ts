import { Refusal } from '../shared/protocol/refusals.ts'
import { sweepAccounts } from './accounts/users/sweep-accounts.ts'
import { touchUsers } from './accounts/users/touch-users.ts'
import type { Write } from './database/define-write.ts'
import { trimLog } from './database/events.ts'
import { sweepFiles } from './media/sweep-files.ts'
import { deleteRemovedMessages } from './moderation/remove-messages.ts'
import type { RegionServices } from './region-services.ts'

/** Work on a timer. */
export interface Job {
  intervalMs: number
  /** Whether only the primary runs it, for all regions. */
  isPrimaryOnly: boolean
  run(services: RegionServices): unknown
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Jobs with the same interval run one after another in this order. */
const jobs: Job[] = [
  // `npm run admin` writes events in a process of its own.
  { intervalMs: SECOND_MS, isPrimaryOnly: true, run: ({ logTailer }) => logTailer.publishNew() },
  { intervalMs: MINUTE_MS, isPrimaryOnly: false, run: touchOnlineUsers },
  { intervalMs: MINUTE_MS, isPrimaryOnly: false, run: ({ files }) => void files.replicateAll() },
  { intervalMs: MINUTE_MS, isPrimaryOnly: true, run: (services) => removeInSteps(services, trimLog) },
  { intervalMs: MINUTE_MS, isPrimaryOnly: true, run: (services) => removeInSteps(services, sweepAccounts) },
  { intervalMs: MINUTE_MS, isPrimaryOnly: true, run: (services) => removeInSteps(services, deleteRemovedMessages) },
  { intervalMs: HOUR_MS, isPrimaryOnly: true, run: sweepFileRows },
  { intervalMs: HOUR_MS, isPrimaryOnly: false, run: ({ files }) => files.sweep() },
]

/** Starts all jobs. Returns a function that stops them. */
export function startJobs(services: RegionServices): () => void {
  const timers = [...Map.groupBy(jobs, ({ intervalMs }) => intervalMs)].map(([intervalMs, group]) =>
    setInterval(() => void runJobs(group, services), intervalMs).unref(),
  )
  return () => timers.forEach(clearInterval)
}

async function runJobs(group: Job[], services: RegionServices): Promise<void> {
  const { replicationStatus } = services.appContext
  for (const { isPrimaryOnly, run } of group)
    if (!isPrimaryOnly || replicationStatus.role() === 'primary') await run(services)
}

/** Online users and their sessions count as seen now. */
async function touchOnlineUsers({ appContext: { execute, presence } }: RegionServices): Promise<void> {
  const userIds = presence.onlineUserIds()
  if (userIds.length) await execute(touchUsers, null, { userIds, sessionIds: presence.onlineSessionIds() })
}

/** In small steps, so that no other command waits long. */
async function removeInSteps(
  { appContext: { execute } }: RegionServices,
  write: Write<object, { removed: number }>,
): Promise<void> {
  let step = await execute(write, null, {})
  while (!(step instanceof Refusal) && step.removed > 0) step = await execute(write, null, {})
}

/** Removes the rows of unreferenced files; each region then removes the files that have no row. */
async function sweepFileRows({ appContext: { execute } }: RegionServices): Promise<void> {
  let after: number | null = 0
  while (after !== null) {
    const step: { after: number | null } | Refusal = await execute(sweepFiles, null, { after })
    after = step instanceof Refusal ? null : step.after
  }
}
