import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest first. By size, as vitest orders files without a cache, those of accessibility would start last. */
const SLOW_FILES = [
  'tests/journeys/accessibility-root-admins.test.ts',
  'tests/journeys/accessibility-others.test.ts',
  'tests/journeys/accessibility-guests.test.ts',
  'tests/journeys/connection-restart.test.ts',
  'tests/journeys/shell.test.ts',
  'tests/journeys/busy-room.test.ts',
  'tests/regions/network-partition.test.ts',
  'tests/journeys/xss.test.ts',
  'tests/journeys/connection-loss.test.ts',
  'tests/journeys/member-lifecycle.test.ts',
  'tests/journeys/sign-up.test.ts',
  'tests/journeys/profile.test.ts',
  'tests/journeys/own-sessions.test.ts',
  'tests/journeys/user-list.test.ts',
  'tests/journeys/keyboard-navigation.test.ts',
  'tests/journeys/large-room.test.ts',
  'tests/regions/replication.test.ts',
  'tests/regions/rolling-upgrade.test.ts',
  'tests/regions/manual-operations.test.ts',
  'tests/regions/clock-skew.test.ts',
  'tests/site/lifecycle.test.ts',
]

/** Starts the slowest files first, so that no worker has a long one left when the others have ended. */
export class SlowFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => SLOW_FILES.findIndex((file) => moduleId.endsWith(file))
    const slow = sorted.filter((spec) => rank(spec) >= 0).toSorted((a, b) => rank(a) - rank(b))
    return [...slow, ...sorted.filter((spec) => rank(spec) < 0)]
  }
}
