import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runAdmin } from './admin.ts'
import { PasswordHasher } from './features/accounts/passwords/password-hasher.ts'
import { endSession } from './features/accounts/sessions/end-session.ts'
import { readConfig } from './kernel/config.ts'
import { SEQ_SKIP } from './kernel/database/events/skip-sequence.ts'
import { findUserByName, sessionById } from './model/accounts/queries.ts'
import { openTestApi, type TestApi } from './testing/fixtures/test-api.ts'
import { createTemporaryFolder } from './testing/fixtures/test-database.ts'

const admin = (api: TestApi, ...args: string[]) => runAdmin(args, api.region.appContext.config)
const passwordIn = (printed: string) => /^One-time password: (\S+)$/m.exec(printed)?.[1] ?? ''

describe('npm run admin', () => {
  let api: TestApi
  let folder: ReturnType<typeof createTemporaryFolder>
  beforeEach(async () => {
    api = await openTestApi()
    folder = createTemporaryFolder()
  })
  afterEach(async () => {
    await api.close()
    folder.remove()
  })
  const backupFile = () => join(folder.path, 'backup.db')
  const databaseFile = () => api.region.appContext.config.databaseFile

  it('[ACC-05] [ACC-19] creates a root admin on a live site, who can sign in with the printed password', async () => {
    const printed = await admin(api, 'Kaptan')
    const password = passwordIn(printed)
    expect(printed).toContain('Kaptan is a new root admin')
    expect(password.length).toBeGreaterThanOrEqual(8)
    const { body } = await api.post('/api/users/login', { username: 'kaptan', password })
    expect(body).toMatchObject({ success: true, user: { role: 'rootadmin' }, adminToken: expect.any(String) })
    const stored = findUserByName(api.region.appContext.reader, 'Kaptan')?.passwordHash ?? ''
    expect(stored).not.toContain(password)
    expect(await new PasswordHasher().verify(password, stored)).toBe(true)
  })

  it('[ACC-13] [ACC-19] promotes a user on a live site and ends their sessions and connections', async () => {
    const { token, userId, sessionId } = await api.region.createRootAdmin('Kaptan')
    const socket = await api.region.connectAs({ token, userId, sessionId, username: 'Kaptan' }, 1)
    const bystander = await api.region.connectAs(await api.region.createGuest('Seyirci'), 1)
    expect(await admin(api, 'kaptan')).toContain('was signed out everywhere')

    expect(api.region.appContext.reader.get(sessionById, { id: sessionId })).toBeUndefined()
    const { status } = await api.get('/api/users/username/Kaptan', { authorization: `Bearer ${token}` })
    expect(status).toBe(401)
    // The site reads the other process's rows with its next batch and continues the sequence after them.
    const gezgin = await api.region.createGuest('Gezgin')
    expect(await api.region.appContext.execute(endSession, gezgin, {})).toEqual({ ended: true })
    expect(await socket.waitForEvent('forceDisconnect')).toEqual({
      message: 'Yetkilerin değişti. Lütfen tekrar giriş yap.',
    })
    expect(bystander.countEvents('forceDisconnect')).toBe(0)
  })

  it('refuses the name of a present guest', async () => {
    await api.region.createGuest('Nergis')
    await expect(admin(api, 'nergis')).rejects.toThrow('A guest who is here is called nergis')
  })

  it('backs up a live site completely, readable only by its owner, and overwrites no file', async () => {
    await api.region.createGuest('Nergis')
    await admin(api, 'backup', backupFile())
    expect(statSync(backupFile()).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder.path)).toEqual(['backup.db'])
    const copy = new Sqlite(backupFile(), { readonly: true })
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(copy.prepare('select username from user').all()).toEqual([{ username: 'Nergis' }])
    copy.close()
    await expect(admin(api, 'backup', backupFile())).rejects.toThrow('overwrites nothing')
  })

  it('refuses to restore while the site runs', async () => {
    await admin(api, 'backup', backupFile())
    await api.region.createGuest('Nergis')
    await expect(admin(api, 'restore', backupFile())).rejects.toThrow('The site is running')
    expect(findUserByName(api.region.appContext.reader, 'Nergis')).toBeDefined()
    const { status } = await api.post('/api/users/guest-login', { username: 'Lale' })
    expect(status).toBe(200)
  })

  describe('on a stopped site', () => {
    beforeEach(() => api.region.close())

    it('[LIVE-19] restores, keeps the old file, skips the sequence past the lost events, and signs everyone out', async () => {
      await api.region.restart()
      const nergis = await api.region.createGuest('Nergis')
      await admin(api, 'backup', backupFile())
      const lale = await api.region.createGuest('Lale')
      await api.region.appContext.execute(endSession, lale, {})
      const lost = api.region.appContext.reader.cursor()
      await api.region.close()

      const printed = await admin(api, 'restore', backupFile())
      const kept = /kept as (\S+)\. /.exec(printed)?.[1] ?? ''
      const old = new Sqlite(kept, { readonly: true })
      expect(old.prepare('select count(*) as count from user').get()).toEqual({ count: 2 })
      old.close()

      await api.region.restart()
      const { reader } = api.region.appContext
      expect(findUserByName(reader, 'Nergis')).toBeDefined()
      expect(findUserByName(reader, 'Lale')).toBeUndefined()
      expect(reader.get(sessionById, { id: nergis.sessionId })).toBeUndefined()
      const again = await api.region.createGuest('Sümbül')
      await api.region.appContext.execute(endSession, again, {})
      expect(reader.cursor()).toBe(lost + SEQ_SKIP + 1)
    })

    it('restores over a damaged file and discards its WAL', async () => {
      await admin(api, 'backup', backupFile())
      writeFileSync(databaseFile(), 'not a database at all, but long enough to look like one'.repeat(100))
      writeFileSync(`${databaseFile()}-wal`, 'left over')
      expect(await admin(api, 'restore', backupFile())).toContain('kept as')
      expect(existsSync(`${databaseFile()}-wal`)).toBe(false)
      await api.region.restart()
      expect(await api.region.createGuest('Nergis')).toBeDefined()
    })

    it('changes nothing when the backup is unusable', async () => {
      await api.region.restart()
      await api.region.createGuest('Nergis')
      await api.region.close()
      const useless = join(folder.path, 'useless.db')
      const attempt = () => admin(api, 'restore', useless)
      await expect(attempt()).rejects.toThrow('There is no file')
      writeFileSync(useless, 'no database')
      await expect(attempt()).rejects.toThrow('damaged')
      writeFileSync(useless, '')
      await expect(attempt()).rejects.toThrow('not a backup of Meydan')

      copyFileSync(databaseFile(), useless)
      chmodSync(useless, 0o600)
      const newer = new Sqlite(useless)
      newer.prepare("insert into migration values (999, '0999-future', '', 999, 0)").run()
      newer.close()
      await expect(attempt()).rejects.toThrow('newer')
      expect(readdirSync(api.region.appContext.config.dataFolder).sort()).toEqual([
        'files',
        'meydan.db',
        'secret',
        'uploads',
      ])
      await api.region.restart()
      expect(findUserByName(api.region.appContext.reader, 'Nergis')).toBeDefined()
    })
  })
})

it.each([[], ['a', 'b', 'c'], ['Kaptan', 'Reis'], ['--help'], ['backup'], ['restore'], ['Al'], ['kır mızı']])(
  'npm run admin explains itself for %j, and has touched nothing',
  async (...args) => {
    const folder = createTemporaryFolder()
    const config = readConfig({ MEYDAN_DATA: join(folder.path, 'data') })
    await expect(runAdmin(args, config)).rejects.toThrow(/Usage:|cannot be a username/)
    expect(readdirSync(folder.path)).toEqual([])
    folder.remove()
  },
)

it('[ACC-19] npm run admin works from the command line without an existing database', async () => {
  const folder = createTemporaryFolder()
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, 'admin.ts'), ...args], {
      env: { ...process.env, MEYDAN_DATA: join(folder.path, 'data') },
    })
  expect(passwordIn((await run('Kaptan')).stdout)).toHaveLength(16)
  await expect(run()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Usage:') })
  folder.remove()
}, 30_000) // it starts two processes
