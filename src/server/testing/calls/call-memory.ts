import { RecentCalls } from '../../features/calls/recent-calls.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { recentCalls } from '../../model/reports/sources/call.ts'

/** The calls that a region remembers, for tests that put a call there which nobody made. */
export function callMemoryOf({ service }: Pick<AppContext, 'service'>): RecentCalls {
  const memory = service(recentCalls)
  if (!(memory instanceof RecentCalls)) throw new Error('another class remembers the calls')
  return memory
}
