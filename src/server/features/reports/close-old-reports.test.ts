import { afterAll, beforeAll, expect, it } from 'vitest'
import { OPEN_REPORT_RETENTION_MS } from '../../../shared/reports/limits.ts'
import { DECISION_LABELS } from '../../../shared/reports/texts.ts'
import { openReportsApi, type ReportsApi } from '../../testing/fixtures/reports-api.ts'
import { closeOldReports } from './close-old-reports.ts'

let api: ReportsApi
beforeAll(async () => {
  api = await openReportsApi({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterAll(() => api.close())

it('[REPORT-25] closes open reports after 180 days, with an entry and without a word to the reporter', async () => {
  const [ada, can, ece] = [
    await api.region.createMember('ada'),
    await api.region.createMember('can'),
    await api.region.createMember('ece'),
  ]
  await api.reportProfile(can, ada)
  const [old] = await api.reportsOf(ada)
  await api.reportProfile(ece, ada)
  const run = () => api.region.appContext.execute(closeOldReports, null, {})
  // The writer of the test has a clock of its own.
  const passHalf = () =>
    api.query('update report set createdAt = createdAt - ? where id = ?', OPEN_REPORT_RETENTION_MS / 2, old?.id)

  passHalf()
  expect(await run()).toEqual({ removed: 0 })
  expect(await api.groupOf(ada)).toMatchObject({ openCount: 2 })

  passHalf()
  const reporter = await api.region.connectAs(can)
  expect(await run()).toEqual({ removed: 1 })
  expect(await run()).toEqual({ removed: 0 })
  expect(await api.reportsOf(ada)).toMatchObject([{ reporter: { username: 'ece' } }])
  expect(await api.groupOf(ada)).toMatchObject({ openCount: 1 })
  const entries = api.query("select actorId, targetId, details from actionEntry where kind = 'oldReportsClosed'")
  const details = JSON.stringify({ decision: DECISION_LABELS.nothing, reportCount: 1 })
  expect(entries).toEqual([{ actorId: null, targetId: ada.userId, details }])
  await reporter.request('getRooms', {})
  expect(reporter.countEvents('newNotification')).toBe(0)
  expect(api.query('select * from notification where recipientId = ?', can.userId)).toEqual([])
})
