// @module-tag deep
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import { expectAnswer, LiveConnection, signIn } from '../drivers/live-connection.ts'
import { runAdminCommand, type SiteProcess, startSite } from '../drivers/site-process.ts'

const sites: SiteProcess[] = []

afterEach(() => Promise.all(sites.splice(0).map((site) => site.stop())))

async function start(env: Record<string, string> = {}): Promise<SiteProcess> {
  const site = await startSite({ env })
  sites.push(site)
  return site
}

/** A root admin in room 1, who may talk at once. */
async function enterAsRootAdmin(site: SiteProcess, username = 'Yönetici') {
  const password = await site.createRootAdmin(username)
  const { token } = await signIn(site.origin, username, password)
  const { connection } = await LiveConnection.open(site.origin, token)
  expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
  const sendMessage = async (content: string) =>
    expectAnswer(await connection.request('sendMessage', { roomId: 1, content }))
  return { connection, token, password, sendMessage }
}

function readMessageContents(site: SiteProcess): string[] {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { readonly: true })
  const contents = db.prepare('select content from message order by id').pluck().all()
  db.close()
  return contents as string[] // the one column asked for
}

describe('the start', () => {
  it('stops at an invalid setting and prints its name and valid values', async () => {
    await expect(start({ MEYDAN_MAX_QUEUE_LENGTH: 'many' })).rejects.toThrow(
      'MEYDAN_MAX_QUEUE_LENGTH should be a whole number',
    )
    await expect(start({ MEYDAN_SECRET: 'short' })).rejects.toThrow('MEYDAN_SECRET should be at least 32 characters')
  })

  it('works where Node reports what it loads among what the writer says, as `node --watch` has it', async () => {
    const site = await start({ WATCH_REPORT_DEPENDENCIES: '1' })
    const { sendMessage } = await enterAsRootAdmin(site)
    await sendMessage('Merhaba')
    expect(readMessageContents(site)).toEqual(['Merhaba'])
  })

  it('stops at an unavailable address and names the setting to change', async () => {
    const { port } = new URL((await start()).origin)
    await expect(start({ PORT: port })).rejects.toThrow(`PORT should be a free one, but something listens on ${port}`)
    await expect(start({ HOST: '192.0.2.1' })).rejects.toThrow('HOST should be an address of this machine')
  })

  it('stops at a damaged database, says so, and leaves the file as it is', async () => {
    const site = await start()
    await site.signal('SIGTERM')
    const file = join(site.dataFolder, 'meydan.db')
    // So that the file holds everything, and nothing beside it covers the damage.
    const db = new Sqlite(file)
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.close()
    const descriptor = openSync(file, 'r+')
    writeSync(descriptor, Buffer.alloc(4096, 'damaged '), 0, 4096, 0)
    closeSync(descriptor)
    const before = readFileSync(file)
    await expect(site.restart()).rejects.toThrow(/database .* is damaged .* restore a backup/is)
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('answers the operators: alive, ready, and what it counted', async () => {
    const site = await start()
    const { sendMessage } = await enterAsRootAdmin(site)
    await sendMessage('Merhaba')
    const get = async (path: string) => (await fetch(site.origin + path)).text()
    expect(await get('/healthz')).toBe('ok')
    expect(await get('/readyz')).toBe('ready')
    const metrics = await get('/metrics')
    expect(metrics).toContain('meydan_commands_total{name="sendMessage",outcome="ok"} 1')
    expect(metrics).toMatch(/^meydan_connections 1$/m)
    expect(metrics).toMatch(/^meydan_writer_queue_length 0$/m)
    expect(metrics).toMatch(/^meydan_commit_seconds_count [1-9]/m)
  })
})

describe('the end', () => {
  it('[LIVE-26] on SIGTERM announces itself, commits accepted commands, and exits within 5 seconds', async () => {
    const site = await start({ MEYDAN_LIMIT_SCALE: '100' })
    const { connection, sendMessage } = await enterAsRootAdmin(site)
    const saying = Promise.allSettled(Array.from({ length: 200 }, (_, index) => sendMessage(`Son ${index}`)))
    await connection.waitFor(() => connection.receivedEvents('message').length > 0)
    const [exitCode, outcomes] = await Promise.all([site.signal('SIGTERM'), saying])
    expect(exitCode).toBe(0)
    expect(connection.receivedEvents('serverShutdown')).toEqual([
      { message: expect.stringContaining('yeniden başlatılıyor') },
    ])
    expect(await connection.closed).toBe(CloseCode.shuttingDown)
    // Whoever copies the file of a stopped site copies all of it.
    expect(existsSync(join(site.dataFolder, 'meydan.db-wal'))).toBe(false)
    const answered = outcomes.filter(({ status }) => status === 'fulfilled').length
    expect(readMessageContents(site)).toHaveLength(answered)
  })
})

describe('the log', () => {
  it('holds no names, no messages and no tokens, even at level debug', async () => {
    const site = await start({ MEYDAN_LOG: 'debug' })
    const { token, password, sendMessage } = await enterAsRootAdmin(site, 'Gizlikişi')
    await sendMessage('Gizlisöz')
    await fetch(`${site.origin}/api/users/username/Gizlikişi`, { headers: { Authorization: `Bearer ${token}` } })
    await fetch(`${site.origin}/api/users/isRegister/Gizlikişi`)
    await fetch(`${site.origin}/Gizlikişi?Gizlisöz`)
    await site.signal('SIGTERM')
    expect(site.output()).toContain('/api/users/username/:name')
    for (const secret of ['izliki', 'izlis', token, password]) expect(site.output()).not.toContain(secret)
  })
})

describe('a cursor', () => {
  it('[LIVE-16] older than the log gets a resync', async () => {
    const site = await start()
    const { connection, token, sendMessage } = await enterAsRootAdmin(site)
    await sendMessage('Bir')
    const { cursor } = connection
    await sendMessage('İki')
    await sendMessage('Üç')
    await site.kill9()
    site.changeDatabase((db) => db.prepare('delete from event where seq <= ?').run(cursor + 1))
    await site.restart()

    const old = await LiveConnection.open(site.origin, token, { cursor, roomId: 1 })
    expect(old.hello.resumed).toBe(false)
    const covered = await LiveConnection.open(site.origin, token, { cursor: cursor + 1, roomId: 1 })
    expect(covered.hello.resumed).toBe(true)
    await covered.connection.waitFor(() => covered.connection.receivedEvents('message').length > 0)
    expect(covered.connection.receivedEvents('message').map(({ content }) => content)).toEqual(['Üç'])
  })

  it('[LIVE-19] of before a restore gets a resync, at any sequence number', async () => {
    const site = await start()
    const { connection, password, sendMessage } = await enterAsRootAdmin(site)
    await sendMessage('Yedekte')
    const backup = join(site.dataFolder, 'backup.db')
    await runAdminCommand(site, 'backup', backup)
    await sendMessage('Yedekten sonra')
    await expect(runAdminCommand(site, 'restore', backup)).rejects.toThrow('Stop it first')
    await site.signal('SIGTERM')
    await runAdminCommand(site, 'restore', backup)
    expect(readMessageContents(site)).toEqual(['Yedekte'])
    await site.restart()

    const { token } = await signIn(site.origin, 'Yönetici', password)
    const again = await LiveConnection.open(site.origin, token, { cursor: connection.cursor, roomId: 1 })
    expect(again.hello.resumed).toBe(false)
    expectAnswer(await again.connection.request('joinRoom', { roomId: 1 }))
    expectAnswer(await again.connection.request('sendMessage', { roomId: 1, content: 'Yeniden' }))
    await again.connection.waitFor(() => again.connection.receivedEvents('message').length > 0)
    expect(again.connection.cursor).toBeGreaterThan(2 ** 20)
  })
})
