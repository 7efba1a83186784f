import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from './database.ts'

/** Who LiteFS says that leads: this region, the one of that hostname, or nobody that it knows. */
export type SaidLeader = { isPrimary: true } | { isPrimary: false; hostname?: string }

/** What LiteFS shows of itself, as decision 0008 has it: events over HTTP, and files in a folder that is no mount. */
export interface FakeLiteFs {
  /** Base URL of its HTTP server. */
  readonly url: string
  readonly databaseFile: string
  /** From now on, and to all who listen, this one leads. */
  lead(leader: SaidLeader): void
  /** The database is at this transaction, and all who listen hear of it. */
  transaction(txid: number, db?: string): void
  /** Only the file says so: the line has not come yet. */
  position(txid: number): void
  /** The heartbeat's file. */
  lag(text: string): void
  /** Raw text to all who listen. */
  say(text: string): void
  /** What the next requests to be promoted are answered; by default 200, and this region leads a moment later. */
  onPromote(answer: () => { status: number; text: string }): void
  /** Resolves when as many listen as are asked for. */
  listeners(count: number): Promise<void>
  /** Breaks every stream of events. */
  break(): void
  /** Its HTTP server refuses connections; the folder is as it was. */
  refuse(): Promise<void>
  /** Listens again, at the same URL. */
  listen(): Promise<void>
  /** The files of the mount are gone. */
  unmount(): void
  /** As after kill -9: what was a mount fails at once, streams break, connections are refused. */
  die(): Promise<void>
  close(): Promise<void>
}

/** @param first who leads at the start */
export async function openFakeLiteFs(first: SaidLeader = { isPrimary: true }): Promise<FakeLiteFs> {
  const folder = temporaryFolder()
  const databaseFile = join(folder.path, 'meydan.db')
  const streams = new Set<ServerResponse>()
  const waiters = new Set<() => void>()
  let leader = first
  let port = 0
  let promote = () => {
    setImmediate(() => fake.lead({ isPrimary: true }))
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
    lead: (now) => {
      leader = now
      fake.say(json({ type: 'primaryChange', data: leader }))
    },
    transaction: (txid, db = 'meydan.db') => {
      if (db === 'meydan.db') fake.position(txid)
      fake.say(
        json({ type: 'tx', db, data: { txID: hex(txid), postApplyChecksum: hex(1), pageSize: 4096, commit: 2 } }),
      )
    },
    position: (txid) => writeFileSync(`${databaseFile}-pos`, `${hex(txid)}/${hex(1)}\n`),
    lag: (text) => writeFileSync(join(folder.path, '.lag'), text),
    say: (text) => {
      for (const stream of streams) stream.write(text)
    },
    onPromote: (answer) => {
      promote = answer
    },
    listeners: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (streams.size !== count) return
          waiters.delete(look)
          resolve()
        }
        waiters.add(look)
        look()
      }),
    break: () => {
      for (const stream of streams) stream.destroy()
    },
    refuse,
    listen,
    unmount: () => {
      for (const name of ['.lag', 'meydan.db-pos']) rmSync(join(folder.path, name), { force: true })
    },
    die: async () => {
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
  fake.lag('+000000000\n')
  return fake
}

const hex = (txid: number) => txid.toString(16).padStart(16, '0')
