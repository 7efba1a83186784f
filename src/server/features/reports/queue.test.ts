import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  REPORT_CONTENT_RETENTION_MS,
  REPORT_GROUPS_PER_PAGE,
  REPORTS_PER_PAGE,
} from '../../../shared/reports/limits.ts'
import type { ReportGroup } from '../../../shared/reports/report.ts'
import { openReportsApi, type ReportsApi } from '../../testing/fixtures/reports-api.ts'
import type { TestUser } from '../../testing/fixtures/test-region.ts'
import { deleteOldContents } from './delete-old-contents.ts'

let api: ReportsApi
let turn = 0
let ada: TestUser
let can: TestUser

beforeAll(async () => {
  api = await openReportsApi({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterAll(() => api.close())
beforeEach(async () => {
  turn++
  ada = await api.region.createMember(`ada${turn}`)
  can = await api.region.createMember(`can${turn}`)
})

const pageOf = async (query = '') =>
  (await api.ok('GET', `/moderation/reports${query}`, api.root)) as {
    groups: ReportGroup[]
    next: string | null
    totalOpen: number
  }
const createMembers = (name: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => api.region.createMember(`${name}${turn}x${index}`)))
const firstReportOf = async (user: TestUser) => (await api.reportsOf(user))[0]?.id ?? expect.unreachable('no report')

/** A report without contents, as a row. */
function addReport(reportedId: number, key: string, isOpen: number): void {
  api.query(
    `insert into report (kind, key, reportedId, reporterId, reason, note, source, isSunk, weight, createdAt, isOpen, decidedAt)
     values ('post', ?, ?, ?, 'other', '', 'user', 0, 0, 1, ?, ?)`,
    ...[key, reportedId, can.userId, isOpen, isOpen === 1 ? null : 5],
  )
}

/** A user with one report; returns the id. */
function addGroup(username: string, isOpen: number): number {
  api.query(
    `insert into user (username, foldedName, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)
     values (?, ?, 0, 'member', 'web', 1, 1)`,
    ...[username, username],
  )
  const userId = api.query<{ id: number }>('select max(id) as id from user')[0]?.id ?? 0
  addReport(userId, username, isOpen)
  const counts = isOpen === 1 ? [1, 0, 1, null] : [0, 1, 0, 5]
  api.query(
    `insert into reportGroup (userId, openCount, decidedCount, sourceCount, lastDecidedAt, weight, latestReportId)
     select ?, ?, ?, ?, ?, 0, max(id) from report`,
    ...[userId, ...counts],
  )
  return userId
}

describe('the queue', () => {
  it('[REPORT-09] is for root admins alone', async () => {
    await api.reportProfile(can, ada)
    const guest = await api.region.createGuest(`gez${turn}`)
    const id = await firstReportOf(ada)
    const paths = ['/moderation/reports', `/moderation/reports/user/${ada.userId}`, `/moderation/report/${id}`]
    for (const user of [ada, can, guest]) {
      for (const path of paths) expect(await api.call('GET', path, user)).toMatchObject({ status: 403 })
      for (const [path, body] of [['/moderation/reports/decide', { reportIds: [id], decision: 'nothing' }]] as const)
        expect(await api.call('POST', path, user, body)).toMatchObject({ status: 403 })
    }
    expect(await api.groupOf(ada)).toMatchObject({ openCount: 1 })
  })

  it('[REPORT-09] gathers the reports of a user, with kinds, reasons and reporters, and has no contents', async () => {
    const [emre = ada, fatma = ada] = await createMembers('k', 2)
    await api.reportProfile(can, ada, { reason: 'spam' })
    await api.reportProfile(emre, ada, { reason: 'insult' })
    const messageId = api.addRoomMessage(ada, 'kötüsöz')
    await api.ok('POST', '/rooms/report', can, { messageId, roomId: 1, reason: 'insult' })
    const group = await api.groupOf(ada)
    expect(group).toMatchObject({ openCount: 3, decidedCount: 0, reporterCount: 2, userIsBanned: false })
    expect([group.kinds.toSorted(), group.reasons.toSorted()]).toEqual([
      ['profile', 'roomMessage'],
      ['insult', 'spam'],
    ])
    const { groups, totalOpen } = await pageOf()
    expect(groups).toContainEqual(group)
    expect(totalOpen).toBe(groups.length)
    const all = await api.ok('GET', `/moderation/reports/user/${ada.userId}`, api.root)
    expect(JSON.stringify([groups, all])).not.toContain('kötüsöz')
    expect((await pageOf('?kind=roomMessage')).groups.map(({ user }) => user.id)).toEqual([ada.userId])
    expect((await pageOf('?kind=call')).groups).toEqual([])
    const idsOf = async (reason: string, kind = '') =>
      (await pageOf(`?reason=${reason}${kind}`)).groups.map(({ user }) => user.id)
    expect(await idsOf('spam')).toContain(ada.userId)
    expect(await idsOf('spam', '&kind=profile')).toContain(ada.userId)
    // No one report has both.
    expect(await idsOf('spam', '&kind=roomMessage')).toEqual([])
    expect(await idsOf('threat')).not.toContain(ada.userId)
    expect(await api.call('GET', '/moderation/reports?reason=kedi', api.root)).toMatchObject({ status: 422 })
    expect(await api.call('GET', '/moderation/reports?kind=kedi', api.root)).toMatchObject({ status: 422 })
    expect(fatma.userId).not.toBe(ada.userId)
  })

  it('[REPORT-09] comes in pages without gaps, open ones and decided ones', async () => {
    const [open = [], decided = []] = [1, 0].map((isOpen) =>
      Array.from({ length: REPORT_GROUPS_PER_PAGE + 3 }, (_, index) =>
        addGroup(`sayfa${turn}x${isOpen}x${index}`, isOpen),
      ),
    )
    const listAll = async (state: string) => {
      const ids: number[] = []
      let next: string | null = null
      do {
        const page = await pageOf(`?state=${state}${next === null ? '' : `&before=${next}`}`)
        ids.push(...page.groups.map(({ user }) => user.id))
        next = page.next
      } while (next !== null)
      expect(new Set(ids).size).toBe(ids.length)
      return ids
    }
    // Those with as many reporters come by the latest report, those of the same time by the latest user.
    const isOwn = (ids: number[]) => (id: number) => ids.includes(id)
    expect((await listAll('open')).filter(isOwn(open))).toEqual(open.toReversed())
    expect((await listAll('decided')).filter(isOwn(decided))).toEqual(decided.toReversed())
    for (let index = 0; index < REPORTS_PER_PAGE + 2; index++) addReport(ada.userId, `x${index}`, 1)
    const path = `/moderation/reports/user/${ada.userId}`
    const first = (await api.ok('GET', path, api.root)) as { reports: { id: number }[]; next: number }
    expect(first.reports).toHaveLength(REPORTS_PER_PAGE)
    const rest = await api.ok('GET', `${path}?before=${first.next}`, api.root)
    expect(rest).toMatchObject({ next: null, reports: [{}, { kind: 'post' }] })
  })
})

describe('the order of the queue', () => {
  const sourcesOf = (user: TestUser) =>
    api.query<{ sourceCount: number }>('select sourceCount from reportGroup where userId = ?', user.userId)[0]
      ?.sourceCount

  it('[REPORT-06] has the users with the most reporters first, then the ones with the latest report', async () => {
    const [emre = ada, fatma = ada, gül = ada] = await createMembers('sıra', 3)
    await api.reportProfile(can, emre)
    for (const text of ['bir', 'iki'])
      await api.ok('POST', '/rooms/report', can, { messageId: api.addRoomMessage(ada, text), roomId: 1 })
    await api.reportProfile(can, fatma)
    await api.reportProfile(can, gül)
    await api.reportProfile(ada, emre)
    const order = async () => {
      const ids = new Set([ada, emre, fatma, gül].map(({ userId }) => userId))
      return (await pageOf()).groups.map(({ user }) => user.id).filter((id) => ids.has(id))
    }
    expect(await order()).toEqual([emre, gül, fatma, ada].map(({ userId }) => userId))
    // Two reports of one reporter are one reporter; a decided report counts no more.
    await api.decide([await firstReportOf(emre)], 'nothing')
    expect(await order()).toEqual([gül, fatma, ada, emre].map(({ userId }) => userId))
  })

  it('[REPORT-07] counts a crowd of guests from one address once, and others apart', async () => {
    const guests = await Promise.all([1, 2, 3, 4].map((index) => api.region.createGuest(`gez${turn}x${index}`)))
    const marks = ['aynı', 'aynı', 'aynı', 'başka']
    for (const [index, { userId }] of guests.entries())
      api.query("insert into accountMark values (?, 'address', ?, 0, 0)", userId, `${marks[index]}${turn}`)
    for (const guest of guests) await api.reportProfile(guest, ada)
    expect(await api.groupOf(ada)).toMatchObject({ openCount: 4, reporterCount: 4 })
    expect(sourcesOf(ada)).toBe(2)
  })

  it('[REPORT-08] counts no report of a ghost-banned guest, and nothing tells the guest', async () => {
    const [ghost, guest] = [await api.region.createGuest(`hay${turn}`), await api.region.createGuest(`gez${turn}`)]
    api.query('update user set isGhost = 1 where id = ?', ghost.userId)
    const [answer, ghostAnswer] = [await api.reportProfile(guest, can), await api.reportProfile(ghost, ada)]
    expect(ghostAnswer).toEqual(answer)
    expect([sourcesOf(ada), sourcesOf(can)]).toEqual([0, 1])
    await api.decide([await firstReportOf(ada)], 'nothing')
    expect(api.query('select type from notification where recipientId = ?', ghost.userId)).toEqual([
      { type: 'reportDecided' },
    ])
    await api.reportProfile(ghost, can)
    expect(sourcesOf(can)).toBe(1)
  })
})

describe('reading', () => {
  it('[REPORT-10] is recorded each time with who looked, and refused where nothing is kept', async () => {
    const messageId = await api.write(ada, can, 'gizli söz')
    await api.ok('POST', '/dm/report', can, {
      messageId,
      senderUsername: ada.username,
      recipientUsername: can.username,
    })
    const id = await firstReportOf(ada)
    const other = await api.region.createRootAdmin(`kök${turn}`)
    for (const user of [api.root, other, other]) await api.ok('GET', `/moderation/report/${id}`, user)
    const reads = api.query(
      "select actorId, targetId, subjectType, subjectId from actionEntry where kind = 'reportRead' and subjectId = ? order by id",
      id,
    )
    const entry = { targetId: ada.userId, subjectType: 'report', subjectId: id }
    expect(reads).toEqual([api.root, other, other].map(({ userId }) => ({ actorId: userId, ...entry })))
    expect(await api.call('GET', '/moderation/report/1000000', api.root)).toMatchObject({ status: 404 })
    expect(JSON.stringify(api.query('select * from actionEntry'))).not.toContain('gizli söz')
  })

  it('[REPORT-17] ends 180 days after the decision; that of open reports stays', async () => {
    await api.reportProfile(can, ada, { note: 'eski' })
    const [emre = ada] = await createMembers('emre', 1)
    await api.reportProfile(emre, ada, { note: 'açık' })
    const [open, old] = await api.reportsOf(ada)
    await api.decide([old?.id ?? 0], 'nothing')
    const run = async () => {
      // The writer of the test has a clock of its own.
      api.query('update report set decidedAt = decidedAt - ? where id = ?', REPORT_CONTENT_RETENTION_MS / 2, old?.id)
      let step: object = { removed: 1 }
      while ('removed' in step && step.removed) step = await api.region.appContext.execute(deleteOldContents, null, {})
    }
    await run()
    expect(await api.contentOf(old?.id ?? 0)).toMatchObject({ kind: 'profile' })
    await run()
    expect(await api.call('GET', `/moderation/report/${old?.id}`, api.root)).toMatchObject({ status: 404 })
    const { reports } = await api.ok('GET', `/moderation/reports/user/${ada.userId}`, api.root)
    expect(reports).toMatchObject([
      { id: open?.id, note: 'açık', hasContent: true },
      { id: old?.id, note: '', hasContent: false, decision: { decision: 'nothing' } },
    ])
    expect(api.query('select source from report where id = ?', old?.id)).toEqual([{ source: null }])
  })
})
