import { expect, it } from 'vitest'
import { FakeEnvironment } from '../../core/platform/testing/fake-environment.ts'
import { ChatLimitNotice } from './send-limits.ts'

it('[CHAT-09] announces the end of the latest wait only', async () => {
  const environment = new FakeEnvironment()
  const notice = new ChatLimitNotice(environment)
  notice.showPause('bir', 10_000)
  await environment.advance(5_000)
  notice.showPause('iki', 10_000)
  await environment.advance(9_999)
  expect(notice.shown.value).toMatchObject({ kind: 'warning', text: 'iki' })
  await environment.advance(1)
  expect(notice.shown.value).toEqual({ kind: 'info', text: 'Artık mesaj gönderebilirsiniz.', endsAt: null })
  notice.showWarning('üç')
  await environment.advance(60_000)
  expect(notice.shown.value).toEqual({ kind: 'warning', text: 'üç', endsAt: null })
})
