import { REPORT_TITLES } from '../../../shared/reports/screen-texts.ts'
import { replayMissed } from '../../core/live/replay-missed.ts'
import { live } from '../../core/live/state.ts'
import { loadLazy } from '../../core/loading/load-lazy.ts'
import { browserEnvironment } from '../../core/platform/environment.ts'
import { latestCallId } from '../../model/calls/latest-calls.ts'
import { callStarter } from '../../model/calls/place-call.ts'
import { openCallReport } from '../../model/calls/report-call.ts'
import type { ClientFeature } from '../../model/client-feature.ts'
import type { Calls } from './calls.ts'
import { STORED_CALL_KEY } from './stored-call.ts'

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

callStarter.set(async () => {
  const calls = await importCalls()
  return (person, callType) => calls.start(person, callType)
})

/** The calls of this tab. Their window loads with them. */
async function importCalls(): Promise<Calls> {
  const [{ calls }] = await Promise.all([import('./state.ts'), import('./window/call-window.tsx')])
  return calls
}

/** Loads the calls when one comes in, and when this tab was in one before its reload. */
function start(): void {
  const load = () => loadLazy(importCalls)
  const resume = (): void => void load().then((calls) => calls.resume())
  if (browserEnvironment.tabStorage.get(STORED_CALL_KEY) !== null) resume()
  replayMissed(live, () => {
    live.on('dmVoiceCallRequest', (request) => void load().then((calls) => calls.ring(request)))
    // Also here: a call may end while the code loads.
    live.on('dmEndCall', (end) => void load().then((calls) => calls.onEnded(end)))
    live.on('currentCall', resume)
  })
}
