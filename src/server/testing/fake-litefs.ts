import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createTemporaryFolder } from './database.ts'

/** Who LiteFS says that leads: this region, the one of that hostname, or nobody that it knows. */
export type ReportedLeader = { isPrimary: true } | { isPrimary: false; hostname?: string }

/** What LiteFS shows of itself, as decision 0008 has it: events over HTTP, and files in a folder that is no mount. */
export interface FakeLiteFs {
  /** Base URL of its HTTP server. */
  readonly url: string
  readonly databaseFile: string
  /** From now on, and to all who listen, this one leads. */
  setLeader(leader: ReportedLeader): void
  /** The database is at this transaction, and all who listen hear of it. */
  emitTransaction(txid: number, db?: string): void
  /** Only the file says so: the line has not come yet. */
  writePositionFile(txid: number): void
  /** The heartbeat's file. */
  writeLagFile(text: string): void
  /** Raw text to all who listen. */
  writeToStreams(text: string): void
  /** What the next requests to be promoted are answered; by default 200, and this region leads a moment later. */
  setPromoteResponse(answer: () => { status: number; text: string }): void
  /** Resolves when as many listen as are asked for. */
  waitForListeners(count: number): Promise<void>
  /** Breaks every stream of events. */
  breakStreams(): void
  /** Its HTTP server refuses connections; the folder is as it was. */
  refuseConnections(): Promise<void>
  /** Listens again, at the same URL. */
  listen(): Promise<void>
  /** The files of the mount are gone. */
  unmount(): void
  /** As after kill -9: what was a mount fails at once, streams break, connections are refused. */
  kill(): Promise<void>
  close(): Promise<void>
}

/** @param first who leads at the start */
export async function openFakeLiteFs(first: ReportedLeader = { isPrimary: true }): Promise<FakeLiteFs> {
  const folder = createTemporaryFolder()
  const databaseFile = join(folder.path, 'meydan.db')
  const streams = new Set<ServerResponse>()
  const waiters = new Set<() => void>()
  let leader = first
  let port = 0
  let promote = () => {
    setImmediate(() => fake.setLeader({ isPrimary: true }))
    return { status: 200, text: '' }
  }
  const json = (line: object) => `${JSON.stringify(line)}\n`
  const changed = () => {
    for (const look of [...waiters]) look()
  }

  const server: Server = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/promote') {
      const { status, text } = promote()
      return void response.writeHead(status).end(text)
    }
    if (request.url !== '/events') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(json({ type: 'init', data: leader }))
    streams.add(response)
    response.once('close', () => {
      streams.delete(response)
      changed()
    })
    changed()
  })
  const listen = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port // it listens on a port, not on a pipe
  }
  const refuse = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  await listen()

  const fake: FakeLiteFs = {
    url: `http://127.0.0.1:${port}`,
    databaseFile,
    setLeader: (now) => {
      leader = now
      fake.writeToStreams(json({ type: 'primaryChange', data: leader }))
    },
    emitTransaction: (txid, db = 'meydan.db') => {
      if (db === 'meydan.db') fake.writePositionFile(txid)
      fake.writeToStreams(
        json({
          type: 'tx',
          db,
          data: { txID: toTxidHex(txid), postApplyChecksum: toTxidHex(1), pageSize: 4096, commit: 2 },
        }),
      )
    },
    writePositionFile: (txid) => writeFileSync(`${databaseFile}-pos`, `${toTxidHex(txid)}/${toTxidHex(1)}\n`),
    writeLagFile: (text) => writeFileSync(join(folder.path, '.lag'), text),
    writeToStreams: (text) => {
      for (const stream of streams) stream.write(text)
    },
    setPromoteResponse: (answer) => {
      promote = answer
    },
    waitForListeners: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (streams.size !== count) return
          waiters.delete(look)
          resolve()
        }
        waiters.add(look)
        look()
      }),
    breakStreams: () => {
      for (const stream of streams) stream.destroy()
    },
    refuseConnections: refuse,
    listen,
    unmount: () => {
      for (const name of ['.lag', 'meydan.db-pos']) rmSync(join(folder.path, name), { force: true })
    },
    kill: async () => {
      // Reading a folder as a file fails at once, as everything does in a mount that nobody answers for.
      fake.unmount()
      for (const name of ['.lag', 'meydan.db-pos']) mkdirSync(join(folder.path, name))
      await refuse()
    },
    close: async () => {
      if (server.listening) await refuse()
      folder.remove()
    },
  }
  fake.writeLagFile('+000000000\n')
  return fake
}

const toTxidHex = (txid: number) => txid.toString(16).padStart(16, '0')
