import { compareFigure, type Report } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { meydan } from './subjects/meydan.ts'
import { socketIo } from './subjects/socket-io.ts'
import { type BenchSubject, connectAll } from './subjects/subject.ts'

const ROUNDS = 5
const CONNECTIONS = 5000
const WARM_UP = 200

/** Resident memory that each idle connection adds. */
export async function measure(): Promise<Report> {
  const bytes = await interleave(ROUNDS, {
    ours: () => bytesPerConnection(meydan),
    socketIo: () => bytesPerConnection(socketIo),
  })
  return {
    figures: [
      compareFigure('resident memory against socket.io 4.8', 'bytes per connection', bytes.ours, bytes.socketIo, {
        atMost: 0.5,
      }),
    ],
    notes: [
      `${CONNECTIONS} connections to a fresh process each round, after ${WARM_UP} that warm it up; garbage collected before each reading.`,
      'Ours after hello, each another signed-in guest; socket.io after its own handshake, without authentication.',
    ],
  }
}

/** Who comes is signed in before the first reading: what signing in leaves behind is no cost of a connection. */
async function bytesPerConnection(contender: BenchSubject): Promise<number> {
  const site = await contender.start()
  try {
    const doors = await site.prepareClients(WARM_UP + CONNECTIONS)
    const early = await connectAll(doors.slice(0, WARM_UP))
    const before = await site.server.residentBytes()
    const visitors = await connectAll(doors.slice(WARM_UP))
    const after = await site.server.residentBytes()
    for (const visitor of [...early, ...visitors]) visitor.close()
    return (after - before) / CONNECTIONS
  } finally {
    await site.stop()
  }
}
