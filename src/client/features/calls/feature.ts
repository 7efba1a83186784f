import { REPORT_TITLES } from '../../../shared/reports/screen-texts.ts'
import { latestCallId } from '../../model/calls/latest-calls.ts'
import { openCallReport } from '../../model/calls/report-call.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import { start } from './start.ts'

export const feature: ClientFeature = {
  start,
  personMenuEntries: [
    {
      order: 37,
      label: REPORT_TITLES.call,
      isDestructive: true,
      isAvailable: ({ id }) => latestCallId(id) !== null,
      run: ({ id, username }) => openCallReport({ callId: latestCallId(id), remoteUsername: username }),
    },
  ],
}
