import { meydan } from './contenders/meydan.ts'
import { rawLoop } from './contenders/raw-loop.ts'
import { socketIo, socketIoBinary } from './contenders/socket-io.ts'
import type { Conversation } from './measure/conversation.ts'
import { describeRounds, holdConversations, p99, throughput } from './measure/fan-out-rounds.ts'
import { compare, type Report } from './measure/report.ts'

const talk: Conversation = { sockets: 100, perSecond: 1000, seconds: 3, bytes: 180 }

/** A room in which so much is said that gathering several events into one frame pays. */
export async function measure(): Promise<Report> {
  const heard = await holdConversations({ ours: meydan, socketIo, socketIoBinary, rawLoop }, talk)
  const unit = 'deliveries per server CPU second'
  return {
    figures: [
      compare('against socket.io 4.8', unit, throughput(heard.ours), throughput(heard.socketIo), { atLeast: 6 }),
      compare('against socket.io 4.8, binary events', unit, throughput(heard.ours), throughput(heard.socketIoBinary), {
        atLeast: 6,
      }),
      compare('against the raw loop', unit, throughput(heard.ours), throughput(heard.rawLoop)),
      compare('p99 against socket.io 4.8', 'ms', p99(heard.ours), p99(heard.socketIo), { atMost: 1 }),
    ],
    notes: [
      'One exempt speaker; ours persists and answers each message, the peers persist nothing. CPU is of the whole process.',
      describeRounds('ours', heard.ours),
      describeRounds('socket.io', heard.socketIo),
      describeRounds('socket.io, binary events', heard.socketIoBinary),
      describeRounds('raw loop', heard.rawLoop),
    ],
  }
}
