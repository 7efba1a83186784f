import { describe, expect, it } from 'vitest'
import type { Decision, Report } from '../../../../shared/reports/report.ts'
import { type LoadedReports, UserReports } from './user-reports.ts'

const PAGE_SIZE = 2

function reportOf(id: number, isOpen = true): Report {
  const subject = { messageId: null, roomId: null, roomName: null, postId: null, callId: null }
  const reporter = { id: 9, username: 'Ada', isGuest: false }
  const about = { kind: 'profile', reason: 'insult', note: '', subject, reporter } as const
  return { id, ...about, createdAt: id, isOpen, hasContent: true, decision: null }
}

function decisionOf(reportIds: number[]): Decision {
  const by = { id: 1, username: 'Zeynep' }
  const terms = { decision: 'nothing', duration: null, banReason: null, text: '' } as const
  return { id: 5, ...terms, by, at: 7, userId: 3, reportIds }
}

class ReportServer {
  reports = [5, 4, 3, 2, 1].map((id) => reportOf(id))
  fetchCount = 0

  fetchPage(before: number | null): LoadedReports {
    this.fetchCount++
    const left = this.reports.filter(({ id }) => before === null || id < before)
    const items = left.slice(0, PAGE_SIZE)
    return { group: null, items, next: left.length > PAGE_SIZE ? (items.at(-1)?.id ?? null) : null }
  }
}

function open() {
  const server = new ReportServer()
  const reports = new UserReports(3, async (_userId, before) => server.fetchPage(before))
  return { server, reports, idsOf: () => reports.list.peek()?.items.map(({ id }) => id) }
}

describe('the reports about one user', () => {
  it('load page by page, and as many again after a change', async () => {
    const { server, reports, idsOf } = open()
    await reports.load(null)
    expect(idsOf()).toEqual([5, 4])
    await reports.load(4)
    expect(idsOf()).toEqual([5, 4, 3, 2])
    server.reports = [reportOf(6), ...server.reports]
    server.fetchCount = 0
    await reports.reload()
    expect(idsOf()).toEqual([6, 5, 4, 3])
    expect(server.fetchCount).toBe(2)
  })

  it('[MODUI-08] show a decision at once', async () => {
    const { reports } = open()
    await reports.load(null)
    const openIds = () => reports.list.peek()?.items.flatMap(({ id, isOpen }) => (isOpen ? id : []))
    reports.applyDecision(decisionOf([5]))
    expect(openIds()).toEqual([4])
  })
})
