// @module-tag deep
import { describe, expect, it, onTestFinished } from 'vitest'
import { originOf } from '../../scripts/regions/region-plan.ts'
import type { RegionProcess } from '../../scripts/regions/region-process.ts'
import { launchTestBrowser, openDesktopPage, openPhonePage } from '../drivers/browser.ts'
import { ChatPage } from '../journeys/chat-page.ts'
import { signInGuestIn } from './region-client.ts'
import { findMissingTool, openSiteCluster } from './test-cluster.ts'

describe.skipIf(findMissingTool('litefs'))('two browsers in two regions', () => {
  it('[REG-01] [REG-19] shows users, messages and rooms of two regions in both browsers', async () => {
    const { region } = await openSiteCluster()
    const browser = await launchTestBrowser()
    onTestFinished(() => browser.close())
    const open = async (newPage: typeof openDesktopPage, { plan }: RegionProcess) =>
      new ChatPage(await newPage(browser, { baseURL: originOf(plan) }))
    const ayse = await (await open(openDesktopPage, region('fra'))).enterAsGuest('Ayşe')
    const mert = await (await open(openPhonePage, region('sin'))).enterAsGuest('Mert')
    await ayse.waitForUsers('Ayşe', 'Mert')

    await ayse.sendMessage('merhaba, kimse var mı?')
    await mert.waitForMessage('Merhaba, kimse var mı?')
    await mert.sendMessage('buradayım :)')
    await ayse.waitForMessage('Buradayım 🙂')
    const contents = ['Merhaba, kimse var mı?', 'Buradayım 🙂']
    for (const visitor of [ayse, mert]) expect(await visitor.messageTexts()).toEqual(contents)

    // A user of the third region enters and leaves; a reload reads the messages from the region's own disk.
    const can = await (await open(openDesktopPage, region('ist'))).enterAsGuest('Can')
    await ayse.waitForUsers('Ayşe', 'Mert', 'Can')
    await ayse.page.reload()
    await ayse.waitForRoom()
    expect(await ayse.messageTexts()).toEqual(contents)
    await can.logOut()
    await ayse.waitForUsers('Ayşe', 'Mert')
    await ayse.page.goto('/room/3')
    await ayse.page.getByRole('heading', { name: '#Müzik' }).waitFor()
    expect(await ayse.messageTexts()).toEqual([])
    await expect(signInGuestIn(region('ist'), 'Mert')).rejects.toThrow('409')
    for (const { errors } of [ayse, mert, can]) expect(errors.unexpectedErrors()).toEqual([])
  })
})
