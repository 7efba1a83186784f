import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest. By size, as vitest orders them without a cache, the two of accessibility would start last. */
const SLOW_FILES = [
  'tests/journeys/accessibility-desktop.test.ts',
  'tests/journeys/accessibility-phone.test.ts',
  'tests/journeys/connection-restart.test.ts',
  'tests/regions/network-partition.test.ts',
  'tests/journeys/busy-room.test.ts',
  'tests/journeys/own-sessions.test.ts',
  'tests/journeys/blocking.test.ts',
  'tests/journeys/user-list.test.ts',
  'tests/journeys/shell.test.ts',
]

/** Starts the slowest files first, so that no worker has a long one left when the others have ended. */
export class SlowFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification) => SLOW_FILES.some((file) => moduleId.endsWith(file))
    return [...sorted.filter(isSlow), ...sorted.filter((spec) => !isSlow(spec))]
  }
}
