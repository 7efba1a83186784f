import type { BroadcastLoad } from './measure/broadcast-load.ts'
import {
  describeRounds,
  mainThroughputOf,
  p99Of,
  runBroadcastRounds,
  throughputOf,
} from './measure/broadcast-rounds.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { meydan } from './subjects/meydan.ts'
import { rawLoop } from './subjects/raw-loop.ts'
import { socketIo } from './subjects/socket-io.ts'

const load: BroadcastLoad = { sockets: 100, perSecond: 1000, seconds: 3, bytes: 180 }

/** Fan-out in a room at 1,000 messages a second, where several events share a frame. */
export async function measure(): Promise<Report> {
  const results = await runBroadcastRounds({ ours: meydan, socketIo, rawLoop }, load)
  const unit = 'deliveries per server CPU second'
  return {
    figures: [
      compareFigure('against socket.io 4.8', unit, throughputOf(results.ours), throughputOf(results.socketIo), {
        atLeast: 3,
      }),
      compareFigure(
        'against socket.io 4.8, without the writer thread',
        unit,
        mainThroughputOf(results.ours),
        mainThroughputOf(results.socketIo),
        { atLeast: 5 },
      ),
      compareFigure('against the raw loop', unit, throughputOf(results.ours), throughputOf(results.rawLoop)),
      compareFigure('p99 against socket.io 4.8', 'ms', p99Of(results.ours), p99Of(results.socketIo), { atMost: 0.5 }),
    ],
    notes: [
      'One sender without chat limits; ours persists and answers each message, the peers persist nothing. CPU is of the whole process, or of all but its worker threads.',
      describeRounds('ours', results.ours),
      describeRounds('socket.io', results.socketIo),
      describeRounds('raw loop', results.rawLoop),
    ],
  }
}
