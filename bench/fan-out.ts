import type { BroadcastLoad } from './measure/broadcast-load.ts'
import { describeRounds, p99Of, runBroadcastRounds, throughputOf } from './measure/broadcast-rounds.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { meydan } from './subjects/meydan.ts'
import { rawLoop } from './subjects/raw-loop.ts'
import { socketIo, socketIoBinary } from './subjects/socket-io.ts'

const talk: BroadcastLoad = { sockets: 500, perSecond: 20, seconds: 4, bytes: 180 }

/** One room, many listeners, a calm pace: what one delivery costs. */
export async function measure(): Promise<Report> {
  const heard = await runBroadcastRounds({ ours: meydan, socketIo, socketIoBinary, rawLoop }, talk)
  const unit = 'deliveries per server CPU second'
  return {
    figures: [
      compareFigure('against socket.io 4.8', unit, throughputOf(heard.ours), throughputOf(heard.socketIo), {
        atLeast: 2,
      }),
      compareFigure(
        'against socket.io 4.8, binary events',
        unit,
        throughputOf(heard.ours),
        throughputOf(heard.socketIoBinary),
        {
          atLeast: 2,
        },
      ),
      compareFigure('against the raw loop', unit, throughputOf(heard.ours), throughputOf(heard.rawLoop), {
        atLeast: 0.85,
      }),
      compareFigure('p99 against socket.io 4.8', 'ms', p99Of(heard.ours), p99Of(heard.socketIo), { atMost: 1 }),
      compareFigure('p99 against the raw loop', 'ms', p99Of(heard.ours), p99Of(heard.rawLoop)),
    ],
    notes: [
      'One exempt speaker; ours persists and answers each message, the peers persist nothing. CPU is of the whole process.',
      'The text has 180 bytes; all send the same fields beside it, socket.io as JSON, the raw loop as our very bytes.',
      describeRounds('ours', heard.ours),
      describeRounds('socket.io', heard.socketIo),
      describeRounds('socket.io, binary events', heard.socketIoBinary),
      describeRounds('raw loop', heard.rawLoop),
    ],
  }
}
