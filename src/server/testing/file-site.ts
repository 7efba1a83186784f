import { createHash } from 'node:crypto'
import { globSync, lstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import pino from 'pino'
import { Refusal } from '../../shared/protocol/refusals.ts'
import { deriveKeys } from '../accounts/keys.ts'
import type { NodeApp } from '../http/mount.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { type FileStore, openFileStore } from '../media/files.ts'
import type { BlobRef } from '../media/folder.ts'
import { fileRows } from '../media/queries.ts'
import { linkFileRoutes } from '../media/routes.ts'
import type { Leader } from '../regions/litefs.ts'
import { openTestDatabase, type TestDatabase, temporaryFolder } from './database.ts'

export const filesKey = deriveKeys('a secret of more than thirty-two characters').files

const SELF: Leader = { is: 'self' }

/** A region with a folder and an HTTP server of its own. */
export interface FileRegion {
  origin: string
  folder: string
  store: FileStore
  /** Whom it takes for the primary, and where it knows others to be. Set by the test. */
  leader: Leader
  others: string[]
  /** What it was asked over HTTP: method and path. */
  asked: string[]
  /** Ends its HTTP server, as if its network were cut. */
  cut(): Promise<void>
}

/** Several regions with one database, which is there in all of them at once. */
export interface FileSite {
  database: TestDatabase
  rows(): { hash: string; size: number }[]
  open(more?: { isCandidate?: boolean; mostBytes?: number; leader?: Leader }): Promise<FileRegion>
  /** A server that answers as it likes. Answers its origin. */
  stranger(answer: RequestListener): Promise<string>
  /** Writes a file's row, as if the primary had taken it. */
  register(file: BlobRef): Promise<object>
  close(): Promise<void>
}

export async function openFileSite(): Promise<FileSite> {
  const database = await openTestDatabase()
  const folder = temporaryFolder()
  const servers: Server[] = []
  const stores: FileStore[] = []
  const register = async (file: BlobRef) => {
    const done = database.run({ command: 'registerFile', input: file })
    return done.refusal ? new Refusal(done.refusal) : (done.answer ?? {})
  }

  const openRegion: FileSite['open'] = async ({ isCandidate = true, mostBytes, leader = SELF } = {}) => {
    const path = join(folder.path, String(servers.length), 'files')
    const region: Omit<FileRegion, 'store'> = {
      origin: '',
      folder: path,
      leader,
      others: [],
      asked: [],
      cut: async () => {},
    }
    const store = await openFileStore({
      folder: path,
      key: filesKey,
      peers: { leader: () => region.leader, otherUrls: () => region.others, isCandidate },
      rows: fileRows(database.read),
      register,
      log: pino({ enabled: false }),
      ...(mostBytes !== undefined && { maxBytes: mostBytes }),
    })
    stores.push(store)
    const server = serve({ fetch: appOf(store, region.asked).fetch, port: 0, hostname: '127.0.0.1' }) as Server // no http2
    region.origin = await originOf(server)
    region.cut = () => ended(server)
    servers.push(server)
    return Object.assign(region, { store })
  }

  return {
    database,
    rows: () => database.db.prepare('select hash, size from file order by id').all() as BlobRef[], // its columns
    open: openRegion,
    stranger: async (answer) => {
      const server = createServer(answer).listen(0, '127.0.0.1')
      servers.push(server)
      return originOf(server)
    },
    register,
    close: async () => {
      await Promise.all(stores.map((store) => store.close()))
      await Promise.all(servers.map(ended))
      database.close()
      folder.remove()
    },
  }
}

/** As the site mounts it, with an address that is not there answered in the site's way. */
function appOf(store: FileStore, asked: string[]): NodeApp {
  const app: NodeApp = new Hono()
  app.use(async (context, next) => {
    asked.push(`${context.req.method} ${context.req.path}`)
    await next()
  })
  app.use(securityHeaders())
  app.route('/', linkFileRoutes(store, filesKey))
  app.notFound((context) => context.text('no such page', 404))
  return app
}

async function originOf(server: Server): Promise<string> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
}

async function ended(server: Server): Promise<void> {
  server.closeAllConnections()
  if (server.listening) await new Promise((resolve) => server.close(resolve))
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Everything that lies in a folder and is no folder, drafts included, by path from there. */
export function filesIn(folder: string): string[] {
  return globSync('**', { cwd: folder })
    .filter((path) => !lstatSync(join(folder, path)).isDirectory())
    .sort()
}

/** Where a file of this hash should lie. */
export function placeOf(hash: string): string {
  return `${hash.slice(0, 2)}/${hash.slice(2)}`
}

/** A promise that the test settles by hand. */
export function signal(): { given: Promise<void>; give(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { given: promise, give: () => resolve() }
}

/** What every open file of node:fs inherits, so that a test can let the disk fail in one place. */
export async function handlePrototype(): Promise<FileHandle> {
  const handle = await open(import.meta.filename, 'r')
  await handle.close()
  return Object.getPrototypeOf(handle) as FileHandle // its methods are there
}
