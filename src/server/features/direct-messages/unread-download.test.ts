import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAX_FILE_BYTES, uploadPath } from '../../../shared/media/rules.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { directMediaCommands } from '../../model/conversations/media-commands.ts'
import { openTestRegion, type TestRegion, type TestUser } from '../../testing/fixtures/test-region.ts'
import { uploadRoutes } from '../media/upload-routes.ts'

let region: TestRegion
let ada: TestUser
let server: Server
let port: number

beforeAll(async () => {
  region = await openTestRegion()
  ada = await region.createMember('ada')
  const app: NodeApp = new Hono()
  uploadRoutes(app, region.appContext, 2_000) // longer than a busy machine keeps this process from reading
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server // HTTP/1 by default
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as AddressInfo).port // it listens on a port
})
afterAll(async () => {
  server.close()
  await region.destroy()
})

/** Stores a file of the largest size, which no socket buffers whole; returns its hash and its URL. */
async function storeFile(): Promise<{ hash: string; url: string }> {
  const { files, execute } = region.appContext
  const stored = await files.put(randomBytes(MAX_FILE_BYTES))
  if (stored instanceof Refusal) throw new Error(stored.body.code)
  const noPicture = { thumbnailPath: null, width: null, height: null, blur: null }
  const answer = await execute(directMediaCommands.addMedia, ada, {
    ...noPicture,
    mediaType: 'audio',
    originalPath: uploadPath(stored.hash, 'webm'),
    durationMs: null,
    waveform: null,
    sizeBytes: MAX_FILE_BYTES,
    clientId: crypto.randomUUID(),
  })
  if (answer instanceof Refusal) throw new Error(answer.body.code)
  return { hash: stored.hash, url: answer.originalPath }
}

/** Asks for a file, and reads no more of the answer than the socket takes by itself. */
function requestWithoutReading(url: string): Socket {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {}) // the server ends it
  socket.write(`GET ${url} HTTP/1.1\r\nhost: meydan\r\nauthorization: Bearer ${ada.token}\r\n\r\n`)
  return socket
}

/** How often this process has the file open. */
function countOpen(hash: string): number {
  const targetOf = (descriptor: string): string => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`)
    } catch {
      return '' // closed meanwhile
    }
  }
  return readdirSync('/proc/self/fd').filter((descriptor) => targetOf(descriptor).includes(hash.slice(2))).length
}

const countConnections = () =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

it.runIf(process.platform === 'linux')(
  '[DM-71] a file that is requested and not read is closed with its connection, and others get theirs whole',
  async () => {
    const { hash, url } = await storeFile()
    const socket = requestWithoutReading(url)
    await expect.poll(() => countOpen(hash)).toBe(1)
    const headers = { authorization: `Bearer ${ada.token}`, connection: 'close' }
    const read = await fetch(`http://127.0.0.1:${port}${url}`, { headers })
    expect((await read.arrayBuffer()).byteLength).toBe(MAX_FILE_BYTES)
    await expect.poll(() => countOpen(hash)).toBe(0)
    await expect.poll(countConnections).toBe(0)
    socket.destroy()
  },
)
