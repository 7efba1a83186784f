import { REPORT_TITLES } from '../../../shared/reports/screen-texts.ts'
import type { PersonMenuEntry } from '../../model/profiles/person-menu.tsx'
import { latestCallId } from './latest-calls.ts'
import { openCallReport } from './report-call.ts'

export const personMenuEntries: readonly PersonMenuEntry[] = [
  {
    order: 37,
    label: REPORT_TITLES.call,
    isDestructive: true,
    isAvailable: ({ id }) => latestCallId(id) !== null,
    run: ({ id, username }) => openCallReport({ callId: latestCallId(id), remoteUsername: username }),
  },
]
