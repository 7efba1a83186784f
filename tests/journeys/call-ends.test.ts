// @module-tag deep
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { foldName } from '../../src/shared/text/turkish.ts'
import { countOpenConnections } from '../drivers/call-probe.ts'
import { updateSiteDatabase } from '../drivers/site.ts'
import { assertNoXss } from './assert-no-xss.ts'
import {
  callButton,
  callJourney,
  callStatus,
  callWindow,
  connectCall,
  expectNoCall,
  placeCall,
  waitForMedia,
} from './call-fixtures.ts'
import type { ChatPage } from './chat-page.ts'

/** Keeps every track that the browser gives a page in `deviceTracks`. */
function keepTracks(): void {
  const kept: MediaStreamTrack[] = []
  Object.assign(window, { deviceTracks: kept })
  const { mediaDevices } = navigator
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (constraints) => {
    const stream = await getUserMedia(constraints)
    kept.push(...stream.getTracks())
    return stream
  }
}

/** From the next page on. */
async function watchDevices({ page }: ChatPage): Promise<void> {
  await page.addInitScript(keepTracks)
  await page.reload()
}

/** Kinds of the tracks that are on. */
function openDevices({ page }: { page: Page }): Promise<string[]> {
  return page.evaluate(() => {
    const { deviceTracks } = window as unknown as { deviceTracks: MediaStreamTrack[] } // set above
    return deviceTracks.filter(({ readyState }) => readyState === 'live').map(({ kind }) => kind)
  })
}

describe('the devices of a call', () => {
  callJourney('[CALLCLIENT-07] are off after each end of it', async ({ pair }) => {
    const { ada, can } = pair
    for (const user of [ada, can]) {
      await watchDevices(user)
      await user.waitForRoom()
    }

    await placeCall(ada, 'Can', 'Görüntülü ara')
    await callButton(can, 'Reddet').waitFor()
    expect(await openDevices(ada)).toEqual(['audio', 'video'])
    expect(await openDevices(can)).toEqual([])
    await callButton(can, 'Reddet').click()
    await expect.poll(() => callStatus(ada).textContent()).toBe('Aramanız reddedildi.')
    expect(await openDevices(ada)).toEqual([])
    await expectNoCall(ada)

    await connectCall(pair, 'video')
    expect(await openDevices(can)).toEqual(['audio', 'video'])
    await callButton(can, 'Aramayı bitir').click()
    await expect.poll(() => openDevices(ada)).toEqual([])
    expect(await openDevices(can)).toEqual([])
    await expectNoCall(ada)
    await expectNoCall(can)

    // In another tab, which ends the session of both.
    await connectCall(pair, 'video')
    const otherTab = await can.page.context().newPage()
    await otherTab.goto('/room/1')
    await otherTab.evaluate(async () => {
      const headers = { authorization: `Bearer ${localStorage.getItem('token')}`, 'content-type': 'application/json' }
      await fetch('/api/users/logout', { method: 'POST', headers, body: '{}' })
    })
    await expect.poll(() => openDevices(ada)).toEqual([])
    await expect.poll(async () => openDevices(can).catch(() => [])).toEqual([])
    expect(await countOpenConnections(ada.page)).toBe(0)
  })

  callJourney('[CALLCLIENT-07] are off when the other user has closed the page', async ({ pair }) => {
    const { ada, can } = pair
    await watchDevices(ada)
    await ada.waitForRoom()
    await connectCall(pair, 'video')
    await can.page.goto('about:blank')
    await expect.poll(() => openDevices(ada)).toEqual([])
    expect(await countOpenConnections(ada.page)).toBe(0)
  })
})

describe('markup in the names of a call', () => {
  callJourney('[CHAT-19] [CALLUI-01] is shown as text in the window and the title', async ({ pair, site }) => {
    const { ada, can } = pair
    const name = '"><img src=x onerror=window.hit=1//'
    updateSiteDatabase(
      site,
      "update user set username = ?, foldedName = ? where username = 'Ada'",
      name,
      foldName(name),
    )
    await ada.page.reload()
    await ada.waitForRoom()
    await placeCall(ada, 'Can', 'Görüntülü ara')
    await expect.poll(() => callWindow(can).locator('#call-name').textContent()).toContain(name)
    expect(await can.page.title()).toContain(name)
    await assertNoXss(can.page)
    await callButton(can, 'Kabul et').click()
    await waitForMedia(can, 'video')
    await assertNoXss(can.page)
    await assertNoXss(ada.page)
    await callButton(ada, 'Aramayı bitir').click()
    await expectNoCall(can)
  })
})
