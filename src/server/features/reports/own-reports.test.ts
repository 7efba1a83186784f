import { afterAll, beforeAll, expect, it } from 'vitest'
import { openReportsApi, type ReportsApi } from '../../testing/fixtures/reports-api.ts'

let api: ReportsApi
beforeAll(async () => {
  api = await openReportsApi({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterAll(() => api.close())

it('[REPORT-16] does not show a root admin who reported them and why, and another one sees it', async () => {
  const other = await api.region.createRootAdmin('öteki')
  const ada = await api.region.createMember('ada')
  await api.reportProfile(ada, other, { reason: 'threat', note: 'korkuyorum' })
  const [report] = await api.reportsOf(other)
  const paths = ['/moderation/reports', `/moderation/reports/user/${other.userId}`, `/moderation/report/${report?.id}`]
  const answers = await Promise.all(paths.map((path) => api.call('GET', path, other)))
  expect(answers.map(({ status }) => status)).toEqual([200, 403, 403])
  expect(JSON.stringify(answers)).not.toMatch(/korkuyorum|"ada"/)
  expect(report).toMatchObject({ reporter: { username: 'ada' }, note: 'korkuyorum' })
  expect(await api.contentOf(report?.id ?? 0)).toMatchObject({ kind: 'profile' })
  expect(api.query("select actorId from actionEntry where kind = 'reportRead'")).toEqual([{ actorId: api.root.userId }])
})
