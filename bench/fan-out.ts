import { meydan } from './contenders/meydan.ts'
import { rawLoop } from './contenders/raw-loop.ts'
import { socketIo, socketIoBinary } from './contenders/socket-io.ts'
import type { Conversation } from './measure/conversation.ts'
import { describeRounds, holdConversations, p99, throughput } from './measure/fan-out-rounds.ts'
import { compare, type Report } from './measure/report.ts'

const talk: Conversation = { sockets: 500, perSecond: 20, seconds: 4, bytes: 180 }

/** One room, many listeners, a calm pace: what one delivery costs. */
export async function measure(): Promise<Report> {
  const heard = await holdConversations({ ours: meydan, socketIo, socketIoBinary, rawLoop }, talk)
  const unit = 'deliveries per server CPU second'
  return {
    figures: [
      compare('against socket.io 4.8', unit, throughput(heard.ours), throughput(heard.socketIo), { atLeast: 2 }),
      compare('against socket.io 4.8, binary events', unit, throughput(heard.ours), throughput(heard.socketIoBinary), {
        atLeast: 2,
      }),
      compare('against the raw loop', unit, throughput(heard.ours), throughput(heard.rawLoop), { atLeast: 0.85 }),
      compare('p99 against socket.io 4.8', 'ms', p99(heard.ours), p99(heard.socketIo), { atMost: 1 }),
      compare('p99 against the raw loop', 'ms', p99(heard.ours), p99(heard.rawLoop)),
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
