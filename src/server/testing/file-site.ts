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
import { createTemporaryFolder, openTestDatabase, type TestDatabase } from './database.ts'

export const TEST_FILES_KEY = deriveKeys('a secret of more than thirty-two characters').files

const SELF_AS_PRIMARY: Leader = { is: 'self' }

/** A region with a folder and an HTTP server of its own. */
export interface FileRegion {
  origin: string
  folder: string
  store: FileStore
  /** Whom it takes for the primary, and where it knows others to be. Set by the test. */
  leader: Leader
  others: string[]
  /** What it was asked over HTTP: method and path. */
  requests: string[]
  /** Ends its HTTP server, as if its network were cut. */
  closeServer(): Promise<void>
}

/** Several regions with one database, which is there in all of them at once. */
export interface FileCluster {
  database: TestDatabase
  listFileRows(): { hash: string; size: number }[]
  openRegion(more?: { isCandidate?: boolean; mostBytes?: number; leader?: Leader }): Promise<FileRegion>
  /** A server that answers as it likes. Answers its origin. */
  startServer(answer: RequestListener): Promise<string>
  /** Writes a file's row, as if the primary had taken it. */
  registerFile(file: BlobRef): Promise<object>
  close(): Promise<void>
}

export async function openFileCluster(): Promise<FileCluster> {
  const database = await openTestDatabase()
  const folder = createTemporaryFolder()
  const servers: Server[] = []
  const stores: FileStore[] = []
  const register = async (file: BlobRef) => {
    const done = database.run({ command: 'registerFile', input: file })
    return done.refusal ? new Refusal(done.refusal) : (done.answer ?? {})
  }

  const openRegion: FileCluster['openRegion'] = async ({
    isCandidate = true,
    mostBytes,
    leader = SELF_AS_PRIMARY,
  } = {}) => {
    const path = join(folder.path, String(servers.length), 'files')
    const region: Omit<FileRegion, 'store'> = {
      origin: '',
      folder: path,
      leader,
      others: [],
      requests: [],
      closeServer: async () => {},
    }
    const store = await openFileStore({
      folder: path,
      key: TEST_FILES_KEY,
      peers: { leader: () => region.leader, otherUrls: () => region.others, isCandidate },
      rows: fileRows(database.read),
      register,
      log: pino({ enabled: false }),
      ...(mostBytes !== undefined && { maxBytes: mostBytes }),
    })
    stores.push(store)
    const server = serve({
      fetch: createFileApp(store, region.requests).fetch,
      port: 0,
      hostname: '127.0.0.1',
    }) as Server // no http2
    region.origin = await serverOrigin(server)
    region.closeServer = () => closeServer(server)
    servers.push(server)
    return Object.assign(region, { store })
  }

  return {
    database,
    listFileRows: () => database.db.prepare('select hash, size from file order by id').all() as BlobRef[], // its columns
    openRegion: openRegion,
    startServer: async (answer) => {
      const server = createServer(answer).listen(0, '127.0.0.1')
      servers.push(server)
      return serverOrigin(server)
    },
    registerFile: register,
    close: async () => {
      await Promise.all(stores.map((store) => store.close()))
      await Promise.all(servers.map(closeServer))
      database.close()
      folder.remove()
    },
  }
}

/** As the site mounts it, with an address that is not there answered in the site's way. */
function createFileApp(store: FileStore, asked: string[]): NodeApp {
  const app: NodeApp = new Hono()
  app.use(async (context, next) => {
    asked.push(`${context.req.method} ${context.req.path}`)
    await next()
  })
  app.use(securityHeaders())
  app.route('/', linkFileRoutes(store, TEST_FILES_KEY))
  app.notFound((context) => context.text('no such page', 404))
  return app
}

async function serverOrigin(server: Server): Promise<string> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  if (server.listening) await new Promise((resolve) => server.close(resolve))
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Everything that lies in a folder and is no folder, drafts included, by path from there. */
export function listFiles(folder: string): string[] {
  return globSync('**', { cwd: folder })
    .filter((path) => !lstatSync(join(folder, path)).isDirectory())
    .sort()
}

/** Where a file of this hash should lie. */
export function blobPathOf(hash: string): string {
  return `${hash.slice(0, 2)}/${hash.slice(2)}`
}

/** A promise that the test settles by hand. */
export function createDeferred(): { given: Promise<void>; give(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { given: promise, give: () => resolve() }
}

/** What every open file of node:fs inherits, so that a test can let the disk fail in one place. */
export async function fileHandlePrototype(): Promise<FileHandle> {
  const handle = await open(import.meta.filename, 'r')
  await handle.close()
  return Object.getPrototypeOf(handle) as FileHandle // its methods are there
}
