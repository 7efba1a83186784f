import { expect, it } from 'vitest'
import { actionText, sendersText, tabTitles } from './texts.ts'

const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '')

it('[NOTE-06] names the latest sender and counts the others', () => {
  const text = (senderCount: number) => plain(sendersText({ type: 'like', senderUsername: 'Ada', senderCount }))
  expect([1, 2, 4, 100].map(text)).toEqual(['Ada', 'Ada ve 1 kişi daha', 'Ada ve 3 kişi daha', 'Ada ve 99+ kişi daha'])
})

it('[NOTE-23] has the titles of the specification', () => {
  expect(tabTitles).toMatchObject({
    dmCall: 'Aramalar',
    follow: 'Takip',
    mention: 'Bahsetme',
    withdrawalRequest: 'Ödeme',
    starRequest: 'Yükleme',
  })
  expect(actionText({ type: 'dmCall', content: 'video' })).not.toBe(actionText({ type: 'dmCall', content: 'voice' }))
})

it('[FILE-32] shows what the site itself says as a text of the site', () => {
  const told = {
    type: 'diskSpace',
    content: 'Diskin doluluğu yüzde 91.',
    senderUsername: 'kök',
    senderCount: 1,
  } as const
  expect([sendersText(told), actionText(told)]).toEqual(['Meydan', told.content])
})
