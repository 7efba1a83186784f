import { compareFigure, type Report } from './measure/report.ts'
import { interleave } from './measure/statistics.ts'
import { meydan } from './subjects/meydan.ts'
import { socketIo } from './subjects/socket-io.ts'
import { type BenchSubject, connectAll } from './subjects/subject.ts'

const ROUNDS = 5
const CONNECTIONS = 5000
const WARM_UP = 200

/** Resident memory of each idle connection. */
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
      'Ours after hello, one signed-in guest each; socket.io after its own handshake, without authentication.',
    ],
  }
}

/**
 * Guests sign in to an earlier process: a process that served the sign-ins has so much free memory that its size hardly
 * grows when they connect.
 */
async function bytesPerConnection(subject: BenchSubject): Promise<number> {
  const site = await subject.start()
  try {
    const connectors = await site.prepareClients(WARM_UP + CONNECTIONS)
    await site.restart?.()
    const warmUpClients = await connectAll(connectors.slice(0, WARM_UP))
    const before = await site.server.residentBytes()
    const clients = await connectAll(connectors.slice(WARM_UP))
    const after = await site.server.residentBytes()
    for (const client of [...warmUpClients, ...clients]) client.close()
    return (after - before) / CONNECTIONS
  } finally {
    await site.stop()
  }
}
