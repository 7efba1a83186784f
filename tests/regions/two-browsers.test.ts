import { describe, expect, it, onTestFinished } from 'vitest'
import { originOf } from '../../scripts/regions/plan.ts'
import type { Region } from '../../scripts/regions/region.ts'
import { launchBrowser, newDesktop, newPhone } from '../browser.ts'
import { Visitor } from '../journeys/visitor.ts'
import { missing, openSite } from './open.ts'
import { enterAsGuest } from './people.ts'

describe.skipIf(missing('litefs'))('two browsers in two regions', () => {
  it('[REG-01] [REG-19] do the whole main job and do not notice', async () => {
    const { region } = await openSite()
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const open = async (newPage: typeof newDesktop, { plan }: Region) =>
      new Visitor(await newPage(browser, { baseURL: originOf(plan) }))
    const ayse = await (await open(newDesktop, region('fra'))).enterAsGuest('Ayşe')
    const mert = await (await open(newPhone, region('sin'))).enterAsGuest('Mert')
    await ayse.sees('Ayşe', 'Mert')

    await ayse.say('merhaba, kimse var mı?')
    await mert.reads('Merhaba, kimse var mı?')
    await mert.say('buradayım :)')
    await ayse.reads('Buradayım 🙂')
    const said = ['Merhaba, kimse var mı?', 'Buradayım 🙂']
    for (const visitor of [ayse, mert]) expect(await visitor.thread()).toEqual(said)

    // Somebody comes and goes in the third region; a reload shows what was said, from the region's own disk.
    const can = await (await open(newDesktop, region('ist'))).enterAsGuest('Can')
    await ayse.sees('Ayşe', 'Mert', 'Can')
    await ayse.page.reload()
    await ayse.isInRoom()
    expect(await ayse.thread()).toEqual(said)
    await can.logOut()
    await ayse.sees('Ayşe', 'Mert')
    await ayse.page.goto('/room/3')
    await ayse.page.getByRole('heading', { name: '#Müzik' }).waitFor()
    expect(await ayse.thread()).toEqual([])
    await expect(enterAsGuest(region('ist'), 'Mert')).rejects.toThrow('409')
    for (const { errors } of [ayse, mert, can]) expect(errors.unexpected()).toEqual([])
  })
})
