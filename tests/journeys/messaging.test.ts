import { describe, expect } from 'vitest'
import { createSiteRootAdmin } from '../drivers/site-process.ts'
import { journey } from './journey.ts'

describe('people who talk in room 1', () => {
  journey('[CHAT-10] [CHAT-16] [ROOM-11] two of them hear each other at once', async ({ desktop, phone }) => {
    const ayse = await (await desktop()).enterAsGuest('Ayşe')
    const mert = await (await phone()).enterAsGuest('Mert')
    await ayse.waitForUsers('Ayşe', 'Mert')

    await ayse.sendMessage('merhaba, kimse var mı?')
    await mert.waitForMessage('Merhaba, kimse var mı?')
    await mert.sendMessage('buradayım :)')
    await ayse.waitForMessage('Buradayım 🙂')
    await ayse.sendMessage('ne güzel')
    await mert.waitForMessage('Ne güzel')
    const said = ['Merhaba, kimse var mı?', 'Buradayım 🙂', 'Ne güzel']
    await ayse.waitForMessage('Ne güzel')
    expect(await ayse.messageTexts()).toEqual(said)
    expect(await mert.messageTexts()).toEqual(said)
  })

  journey('[CHAT-01] three of them read the same in the same order, and who comes later too', async ({ desktop }) => {
    const names = ['Birinci', 'İkinci', 'Üçüncü']
    const people = await Promise.all(names.map(async (name) => (await desktop()).enterAsGuest(name)))
    await Promise.all(people.map((person, index) => person.sendMessage(`${names[index]} konuşuyor`)))
    for (const person of people) for (const name of names) await person.waitForMessage(`${name} konuşuyor`)

    const late = await (await desktop()).enterAsGuest('Geçkalan')
    const threads = await Promise.all([...people, late].map((person) => person.messageTexts()))
    for (const thread of threads) expect(thread).toEqual(threads[0])
  })

  journey('[CHAT-18] Enter sends, and Shift+Enter breaks the line', async ({ site, desktop }) => {
    const visitor = await (await desktop()).signIn('Satırcı', await createSiteRootAdmin(site, 'Satırcı'))
    await visitor.composer.pressSequentially('bir')
    await visitor.composer.press('Shift+Enter')
    await visitor.composer.pressSequentially('iki')
    expect(await visitor.composer.inputValue()).toBe('bir\niki')
    await visitor.composer.press('Enter')
    await visitor.messageLog.locator('.bubble-text', { hasText: /^Bir\niki$/ }).waitFor()
    expect(await visitor.composer.inputValue()).toBe('')
  })

  journey('[CHAT-05] [CHAT-06] [CHAT-09] the waits are said, and what was typed stays', async ({ desktop }) => {
    const visitor = await (await desktop()).enterAsGuest('Aceleci')
    const notice = visitor.page.getByRole('status')
    await visitor.composer.fill('hemen')
    await visitor.composer.press('Enter')
    await notice.getByText('10 saniye beklemeniz gerekiyor.').waitFor()
    expect(await visitor.composer.inputValue()).toBe('hemen')
    await notice.getByText('Artık mesaj gönderebilirsiniz.').waitFor()
    // Then nothing is said any more, least of all the wait that is over.
    await visitor.page.locator('.notice-pill').waitFor({ state: 'detached' })
    expect(await visitor.composer.inputValue()).toBe('hemen')
    for (const text of ['Hemen', 'Hemen', 'Hemen', 'Hemen']) {
      await visitor.composer.fill(text)
      await visitor.composer.press('Enter')
    }
    await visitor.composer.fill('bir daha')
    await visitor.composer.press('Enter')
    await notice.getByText('Arka arkaya çok fazla mesaj gönderdiniz.').waitFor()
    expect(await visitor.composer.inputValue()).toBe('bir daha')
    expect(await visitor.bubble('Hemen').count()).toBe(4)
  })
})
