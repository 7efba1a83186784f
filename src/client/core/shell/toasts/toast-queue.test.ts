import { beforeEach, expect, it } from 'vitest'
import { FakeEnvironment } from '../../platform/testing/fake-environment.ts'
import { ToastQueue } from './toast-queue.ts'

let environment: FakeEnvironment
let queue: ToastQueue
beforeEach(() => {
  environment = new FakeEnvironment()
  queue = new ToastQueue(environment)
})
const shown = () => queue.visible.value.map(({ text }) => text)

it('[SHELL-09] shows two toasts at once for 2,000 ms, and then the next ones', async () => {
  for (const text of ['bir', 'iki', 'üç', 'dört']) queue.add(text, 'info')
  expect(shown()).toEqual(['bir', 'iki'])
  await environment.advance(1_999)
  expect(shown()).toEqual(['bir', 'iki'])
  await environment.advance(1)
  expect(shown()).toEqual(['üç', 'dört'])
  await environment.advance(2_000)
  expect(shown()).toEqual([])
})

it('[SHELL-09] shows the next toast when one is closed', async () => {
  for (const text of ['bir', 'iki', 'üç']) queue.add(text, 'info')
  queue.close(queue.visible.value[0]?.key ?? 0)
  expect(shown()).toEqual(['iki', 'üç'])
})

it('shows the same text once, and keeps a hovered toast', async () => {
  queue.add('bir', 'error')
  queue.add('bir', 'error')
  expect(shown()).toEqual(['bir'])
  const key = queue.visible.value[0]?.key ?? 0
  queue.pause(key)
  await environment.advance(10_000)
  expect(shown()).toEqual(['bir'])
  queue.resume(key)
  await environment.advance(2_000)
  expect(shown()).toEqual([])
})

it('drops the oldest of more than 10 waiting toasts', async () => {
  for (let n = 0; n < 100; n++) queue.add(String(n), 'info')
  await environment.advance(2_000)
  expect(shown()).toEqual(['90', '91'])
})

const linkToast = (text: string) => ({ title: '#Oda', text, note: '', href: '/', dismissLabel: 'x', onClose: () => {} })

it('[SHELL-70] shows one link among at most two toasts until it is closed, and puts a later link in its place', async () => {
  for (const text of ['bir', 'iki', 'üç']) queue.add(text, 'info')
  queue.setLink(linkToast('ilk'))
  expect(shown()).toEqual(['bir', 'iki'])
  await environment.advance(2_000)
  expect(shown()).toEqual(['ilk', 'üç'])
  const key = queue.visible.value[0]?.key ?? 0
  queue.resume(key)
  await environment.advance(60_000)
  expect(shown()).toEqual(['ilk'])
  queue.setLink(linkToast('ikinci'))
  expect(queue.visible.value).toMatchObject([{ key, text: 'ikinci' }])
  queue.close(key)
  expect(shown()).toEqual([])
  queue.setLink(linkToast('üçüncü'))
  queue.setLink(null)
  expect(shown()).toEqual([])
})
