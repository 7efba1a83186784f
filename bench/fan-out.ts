import type { BroadcastLoad } from './measure/broadcast-load.ts'
import {
  compareIfMeasured,
  describeRounds,
  p99Of,
  runBroadcastRounds,
  throughputOf,
} from './measure/broadcast-rounds.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { findCentrifugo } from './subjects/centrifugo.ts'
import { meydan } from './subjects/meydan.ts'
import { rawLoop } from './subjects/raw-loop.ts'
import { socketIo, socketIoBinary } from './subjects/socket-io.ts'

const load: BroadcastLoad = { sockets: 500, perSecond: 20, seconds: 4, bytes: 180 }

/** Fan-out in one room at 20 messages a second: the cost of one delivery. */
export async function measure(): Promise<Report> {
  const centrifugo = findCentrifugo()
  const peers = {
    socketIo,
    socketIoBinary,
    rawLoop,
    ...('subject' in centrifugo && { centrifugo: centrifugo.subject }),
  }
  const results = await runBroadcastRounds({ ours: meydan, ...peers }, load)
  const unit = 'deliveries per server CPU second'
  return {
    figures: [
      compareFigure('against socket.io 4.8', unit, throughputOf(results.ours), throughputOf(results.socketIo), {
        atLeast: 1.5,
      }),
      compareFigure(
        'against socket.io 4.8, binary events',
        unit,
        throughputOf(results.ours),
        throughputOf(results.socketIoBinary),
        {
          atLeast: 1.5,
        },
      ),
      compareFigure('against the raw loop', unit, throughputOf(results.ours), throughputOf(results.rawLoop), {
        atLeast: 0.95,
      }),
      ...compareIfMeasured('against Centrifugo 5.4', results.ours, results.centrifugo),
      compareFigure('p99 against socket.io 4.8', 'ms', p99Of(results.ours), p99Of(results.socketIo)),
      compareFigure('p99 against the raw loop', 'ms', p99Of(results.ours), p99Of(results.rawLoop), {
        atMost: 1.1,
      }),
    ],
    notes: [
      'One sender without chat limits; ours persists and answers each message, the peers persist nothing. CPU is of the whole process.',
      'The text has 180 bytes; all send the same fields, socket.io as JSON, the raw loop as the bytes that ours sends.',
      describeRounds('ours', results.ours),
      describeRounds('socket.io', results.socketIo),
      describeRounds('socket.io, binary events', results.socketIoBinary),
      describeRounds('raw loop', results.rawLoop),
      'leftOut' in centrifugo ? centrifugo.leftOut : describeRounds('Centrifugo', results.centrifugo ?? []),
    ],
  }
}
