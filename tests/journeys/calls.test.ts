import { describe, expect } from 'vitest'
import {
  blockUser,
  callButton,
  callJourney,
  callStatus,
  callWindow,
  connectCall,
  expectNoCall,
  placeCall,
  waitForMedia,
} from './call-fixtures.ts'

describe('a call between two browsers', () => {
  callJourney(
    '[CALLCLIENT-24] of voice is heard on both sides, and ends on both',
    { tags: 'deep' },
    async ({ pair }) => {
      const { ada, can } = pair
      await placeCall(ada, 'Can', 'Sesli ara')
      await expect.poll(() => callStatus(ada).textContent()).toBe('Sesli arıyor...')
      await expect.poll(() => callStatus(can).textContent()).toBe('Sesli arama geliyor...')
      await callButton(can, 'Kabul et').click()
      await waitForMedia(ada, 'voice')
      await waitForMedia(can, 'voice')
      await callButton(can, 'Aramayı bitir').click()
      await expectNoCall(ada)
      await expectNoCall(can)
    },
  )

  callJourney(
    '[CALLCLIENT-24] of video is seen and heard on both sides, and goes on after a reload',
    { tags: 'deep' },
    async ({ pair }) => {
      const { ada, can } = pair
      await connectCall(pair, 'video')
      for (const reloaded of [ada, can]) {
        await reloaded.page.reload()
        await reloaded.waitForRoom()
        await waitForMedia(reloaded, 'video')
        for (const user of [ada, can]) await waitForMedia(user, 'video')
      }
      await callButton(ada, 'Aramayı bitir').click()
      await expectNoCall(ada)
      await expectNoCall(can)
    },
  )

  callJourney('[CALLCLIENT-24] that is declined is told, and gone after 3 s', { tags: 'deep' }, async ({ pair }) => {
    const { ada, can } = pair
    await placeCall(ada, 'Can', 'Görüntülü ara')
    await callButton(can, 'Reddet').click()
    await callWindow(can).waitFor({ state: 'detached' })
    await expect.poll(() => callStatus(ada).textContent()).toBe('Aramanız reddedildi.')
    await expectNoCall(ada)
  })

  callJourney(
    '[CALLCLIENT-24] to somebody who is in a call is declined, and theirs goes on',
    { tags: 'deep' },
    async ({ pair, speaker }) => {
      const { ada, can } = pair
      await connectCall(pair, 'voice')
      const ece = await speaker('Ece', { role: 'member' })
      const { callId } = await ece.request('dmVoiceCallRequest', { recipientUsername: 'Can', callType: 'voice' })
      const responses = () => ece.connection.receivedEvents('dmVoiceCallResponse')
      await ece.connection.waitFor(() => responses().length > 0)
      expect(responses()).toEqual([{ callId, accepted: false, reason: 'declined' }])
      await waitForMedia(ada, 'voice')
      await waitForMedia(can, 'voice')
    },
  )

  callJourney('[CALLCLIENT-24] ends at once when one blocks the other', async ({ pair }) => {
    const { ada, can } = pair
    await connectCall(pair, 'voice')
    await blockUser(can, 'Ada')
    await expectNoCall(ada)
    await expectNoCall(can)
  })
})
