import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { picturePath } from '../../../shared/media/rules.ts'
import {
  blobPathOf,
  type FileCluster,
  listFiles,
  openFileCluster,
  sha256,
} from '../../testing/fixtures/file-cluster.ts'

const HOUR_MS = 60 * 60_000

let site: FileCluster
let owner: number
let other: number
beforeEach(async () => {
  site = await openFileCluster()
  owner = site.database.addMember('sahibi')
  other = site.database.addMember('başkası')
})
afterEach(() => site.close())

/** Advances the clock and runs the hourly job of the rows. */
function sweepRows(afterHours: number): void {
  site.database.clock.now += afterHours * HOUR_MS
  let after: number | null = 0
  while (after !== null) {
    const { answer } = site.database.run({ command: 'sweepFiles', input: { after } })
    after = (answer as { after: number | null }).after // the answer type of sweepFiles
  }
}

const content = (text: string) => ({ bytes: Buffer.from(text), hash: sha256(Buffer.from(text)) })
const register = (text: string) => site.registerFile({ hash: content(text).hash, size: text.length })
const remainingHashes = () => site.listFileRows().map(({ hash }) => hash)

/** Sets a user's avatar in both sizes; null removes it. */
function setAvatar(userId: number, small: string | null, large = small): void {
  const columns = {
    avatarUrl: small && picturePath(content(small).hash),
    largeAvatarUrl: large && picturePath(content(large).hash),
  }
  const outcome = site.database.run({
    command: 'updateProfile',
    actor: { userId, sessionId: userId },
    input: { columns },
  })
  expect(outcome.answer).toEqual({ success: true })
}

describe('the row of a file', () => {
  it('[FILE-28] is deleted a day after the last user stops using the file', async () => {
    for (const text of ['small', 'large', 'new']) await register(text)
    setAvatar(owner, 'small', 'large')
    setAvatar(other, 'small', 'new')
    sweepRows(30)
    setAvatar(owner, 'new')
    sweepRows(1)
    sweepRows(23)
    expect(remainingHashes()).toEqual(['small', 'large', 'new'].map((text) => content(text).hash))
    sweepRows(1)
    // Another user still has the small avatar.
    expect(remainingHashes()).toEqual(['small', 'new'].map((text) => content(text).hash))
    setAvatar(other, null)
    sweepRows(1)
    sweepRows(24)
    expect(remainingHashes()).toEqual([content('new').hash])
  })

  it('[FILE-28] stays for a day after an upload, also after a repeated one', async () => {
    await register('slow')
    sweepRows(1)
    sweepRows(25)
    expect(remainingHashes()).toEqual([])
    await register('slow')
    sweepRows(1)
    site.database.clock.now += 23 * HOUR_MS + HOUR_MS
    await register('slow')
    sweepRows(0)
    expect(remainingHashes()).toEqual([content('slow').hash])
    setAvatar(owner, 'slow')
    sweepRows(48)
    sweepRows(48)
    expect(remainingHashes()).toEqual([content('slow').hash])
  })

  it('[FILE-28] is swept in batches, to the last row', async () => {
    for (let count = 0; count < 250; count++) await register(`file ${count}`)
    await register('avatar')
    setAvatar(owner, 'avatar')
    sweepRows(1)
    sweepRows(24)
    expect(remainingHashes()).toEqual([content('avatar').hash])
  })
})

describe('a file without a row', () => {
  const at = ({ origin }: { origin: string }) => ({ is: 'other', url: origin }) as const
  const age = (folder: string, text: string) => {
    const old = new Date(Date.now() - 48 * HOUR_MS)
    utimesSync(join(folder, blobPathOf(content(text).hash)), old, old)
  }

  it('[FILE-28] is removed in every region, and stored again by a new upload', async () => {
    const primary = await site.openRegion()
    const replica = await site.openRegion({ leader: at(primary) })
    const regions = [primary, replica]
    for (const text of ['avatar', 'former']) await replica.store.put(content(text).bytes)
    setAvatar(owner, 'avatar')
    sweepRows(1)
    sweepRows(24)
    for (const { folder } of regions) for (const text of ['avatar', 'former']) age(folder, text)
    for (const { store } of regions) await store.sweep()
    for (const { folder } of regions) expect(listFiles(folder)).toEqual([blobPathOf(content('avatar').hash)])
    expect(await replica.store.get(content('former').hash)).toBeNull()

    await replica.store.put(content('former').bytes)
    for (const { store } of regions) await store.sweep()
    for (const { store } of regions) expect(await store.has(content('former').hash)).toBe(true)
  })

  it('[FILE-28] stays for a day after it was stored', async () => {
    const primary = await site.openRegion()
    await primary.store.put(content('new').bytes)
    site.database.db.prepare('delete from file').run()
    await primary.store.sweep()
    expect(await primary.store.has(content('new').hash)).toBe(true)
  })

  it('[FILE-13] [FILE-28] does not count as missing once its row is deleted', async () => {
    const primary = await site.openRegion()
    const candidate = await site.openRegion({ leader: at(primary) })
    await register('lost')
    await primary.store.put(content('here').bytes)
    expect(await candidate.store.replicateAll()).toBe(false)
    sweepRows(1)
    setAvatar(owner, 'here')
    sweepRows(24)
    expect(remainingHashes()).toEqual([content('here').hash])
    expect(await candidate.store.replicateAll()).toBe(true)
  })
})
