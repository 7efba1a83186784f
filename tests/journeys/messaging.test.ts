import { describe, expect } from 'vitest'
import { createSiteRootAdmin } from '../drivers/site-process.ts'
import { journey } from './journey.ts'

describe('messages in a room', () => {
  journey(
    "[CHAT-10] [CHAT-16] [ROOM-11] two guests receive each other's messages at once",
    async ({ desktop, phone }) => {
      const ayse = await (await desktop()).enterAsGuest('Ayşe')
      const mert = await (await phone()).enterAsGuest('Mert')
      await ayse.waitForUsers('Ayşe', 'Mert')

      await ayse.sendMessage('merhaba, kimse var mı?')
      await mert.waitForMessage('Merhaba, kimse var mı?')
      await mert.sendMessage('buradayım :)')
      await ayse.waitForMessage('Buradayım 🙂')
      await ayse.sendMessage('ne güzel')
      await mert.waitForMessage('Ne güzel')
      const expectedTexts = ['Merhaba, kimse var mı?', 'Buradayım 🙂', 'Ne güzel']
      await ayse.waitForMessage('Ne güzel')
      expect(await ayse.messageTexts()).toEqual(expectedTexts)
      expect(await mert.messageTexts()).toEqual(expectedTexts)
    },
  )

  journey('[CHAT-01] three guests and a later one see the same messages in the same order', async ({ desktop }) => {
    const names = ['Birinci', 'İkinci', 'Üçüncü']
    const people = await Promise.all(names.map(async (name) => (await desktop()).enterAsGuest(name)))
    await Promise.all(people.map((person, index) => person.sendMessage(`${names[index]} konuşuyor`)))
    for (const person of people) for (const name of names) await person.waitForMessage(`${name} konuşuyor`)

    const latecomer = await (await desktop()).enterAsGuest('Geçkalan')
    const threads = await Promise.all([...people, latecomer].map((person) => person.messageTexts()))
    for (const thread of threads) expect(thread).toEqual(threads[0])
  })

  journey('[CHAT-18] Enter sends the message, and Shift+Enter breaks the line', async ({ site, desktop }) => {
    const visitor = await (await desktop()).signIn('Satırcı', await createSiteRootAdmin(site, 'Satırcı'))
    await visitor.composer.pressSequentially('bir')
    await visitor.composer.press('Shift+Enter')
    await visitor.composer.pressSequentially('iki')
    expect(await visitor.composer.inputValue()).toBe('bir\niki')
    await visitor.composer.press('Enter')
    await visitor.messageLog.locator('.bubble-text', { hasText: /^Bir\niki$/ }).waitFor()
    expect(await visitor.composer.inputValue()).toBe('')
  })
})
