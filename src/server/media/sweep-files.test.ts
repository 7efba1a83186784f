import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { picturePath } from '../../shared/media/rules.ts'
import { blobPathOf, type FileCluster, listFiles, openFileCluster, sha256 } from '../testing/fixtures/file-cluster.ts'

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

/** What an hourly look at the rows does, so many hours after the last one. */
function sweepRows(afterHours: number): void {
  site.database.clock.now += afterHours * HOUR_MS
  let after: number | null = 0
  while (after !== null) {
    const { answer } = site.database.run({ command: 'sweepFiles', input: { after } })
    after = (answer as { after: number | null }).after // what the command answers
  }
}

const content = (text: string) => ({ bytes: Buffer.from(text), hash: sha256(Buffer.from(text)) })
const register = (text: string) => site.registerFile({ hash: content(text).hash, size: text.length })
const left = () => site.listFileRows().map(({ hash }) => hash)

/** Gives somebody a face, small and large; null takes it away. */
function setFace(userId: number, small: string | null, large = small): void {
  const shown = {
    avatarUrl: small && picturePath(content(small).hash),
    largeAvatarUrl: large && picturePath(content(large).hash),
  }
  const done = site.database.run({
    command: 'updateProfile',
    actor: { userId, sessionId: userId },
    input: { columns: shown },
  })
  expect(done.answer).toEqual({ success: true })
}

describe('the row of a file', () => {
  it('[FILE-28] goes a day after the last person who had it has it no more', async () => {
    for (const text of ['small', 'large', 'new']) await register(text)
    setFace(owner, 'small', 'large')
    setFace(other, 'small', 'new')
    sweepRows(30)
    setFace(owner, 'new')
    sweepRows(1)
    sweepRows(23)
    expect(left()).toEqual(['small', 'large', 'new'].map((text) => content(text).hash))
    sweepRows(1)
    // Somebody else has the small one.
    expect(left()).toEqual(['small', 'new'].map((text) => content(text).hash))
    setFace(other, null)
    sweepRows(1)
    sweepRows(24)
    expect(left()).toEqual([content('new').hash])
  })

  it('[FILE-28] stays while a file that was just brought is not yet named, the same again included', async () => {
    await register('slow')
    sweepRows(1)
    sweepRows(25)
    expect(left()).toEqual([])
    await register('slow')
    sweepRows(1)
    site.database.clock.now += 23 * HOUR_MS + HOUR_MS
    await register('slow')
    sweepRows(0)
    expect(left()).toEqual([content('slow').hash])
    setFace(owner, 'slow')
    sweepRows(48)
    sweepRows(48)
    expect(left()).toEqual([content('slow').hash])
  })

  it('[FILE-28] is gone through in small steps, to the last', async () => {
    for (let count = 0; count < 250; count++) await register(`file ${count}`)
    await register('face')
    setFace(owner, 'face')
    sweepRows(1)
    sweepRows(24)
    expect(left()).toEqual([content('face').hash])
  })
})

describe('a file without a row', () => {
  const at = ({ origin }: { origin: string }) => ({ is: 'other', url: origin }) as const
  const age = (folder: string, text: string) => {
    const old = new Date(Date.now() - 48 * HOUR_MS)
    utimesSync(join(folder, blobPathOf(content(text).hash)), old, old)
  }

  it('[FILE-28] is taken away in every region, and comes back when it is sent again', async () => {
    const primary = await site.openRegion()
    const replica = await site.openRegion({ leader: at(primary) })
    const regions = [primary, replica]
    for (const text of ['face', 'former']) await replica.store.put(content(text).bytes)
    setFace(owner, 'face')
    sweepRows(1)
    sweepRows(24)
    for (const { folder } of regions) for (const text of ['face', 'former']) age(folder, text)
    for (const { store } of regions) await store.sweep()
    for (const { folder } of regions) expect(listFiles(folder)).toEqual([blobPathOf(content('face').hash)])
    expect(await replica.store.get(content('former').hash)).toBeNull()

    await replica.store.put(content('former').bytes)
    for (const { store } of regions) await store.sweep()
    for (const { store } of regions) expect(await store.has(content('former').hash)).toBe(true)
  })

  it('[FILE-28] is left while it may yet get one: it has just come', async () => {
    const primary = await site.openRegion()
    await primary.store.put(content('new').bytes)
    site.database.db.prepare('delete from file').run()
    await primary.store.sweep()
    expect(await primary.store.has(content('new').hash)).toBe(true)
  })

  it('[FILE-13] [FILE-28] is missed by nobody: a region has everything without it', async () => {
    const primary = await site.openRegion()
    const candidate = await site.openRegion({ leader: at(primary) })
    await register('lost')
    await primary.store.put(content('here').bytes)
    expect(await candidate.store.replicateAll()).toBe(false)
    sweepRows(1)
    setFace(owner, 'here')
    sweepRows(24)
    expect(left()).toEqual([content('here').hash])
    expect(await candidate.store.replicateAll()).toBe(true)
  })
})
