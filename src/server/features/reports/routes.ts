import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { routes } from '../../../shared/reports/protocol.ts'
import { CALL_NOT_FOUND_TEXT, REPORT_ABOUT_SELF_TEXT, REPORT_NOT_FOUND_TEXT } from '../../../shared/reports/texts.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { NodeApp } from '../../kernel/http/node-app.ts'
import { registerRoute } from '../../kernel/http/route.ts'
import { findRecipient } from '../../model/relations/access.ts'
import { consumeReportLimit } from '../../model/reports/access.ts'
import { recentCalls } from '../../model/reports/sources/call.ts'
import { decideReports } from './decide-reports.ts'
import { findGroup, listReportGroups } from './list-groups.ts'
import { findContent, findReport, listReports } from './list-reports.ts'
import { recordContentRead } from './record-content-read.ts'
import { submitReport } from './submit-report.ts'

/** Reporting room messages, profiles and calls, and the queue of root admins. */
export function reportRoutes(app: NodeApp, appContext: AppContext): void {
  submitRoutes(app, appContext)
  queueRoutes(app, appContext)
  decisionRoutes(app, appContext)
}

function submitRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader, execute } = appContext

  registerRoute(app, appContext, routes.reportRoomMessage, ({ input, actor, clientId, context }) => {
    const { messageId, roomId, reason, note } = input
    const item = `${roomId} ${messageId}`
    const report = { kind: 'roomMessage', target: { messageId, roomId }, item, reason, note } as const
    return consumeReportLimit(appContext, actor, context) ?? execute(submitReport, actor, report, { clientId })
  })

  registerRoute(app, appContext, routes.reportProfile, ({ input, actor, clientId, context }) => {
    const { username, userId, reason, note } = input
    const reported = findRecipient(reader, username, userId)
    if (reported instanceof Refusal) return reported
    const target = { userId: reported.id }
    const report = { kind: 'profile', target, item: String(reported.id), reason, note } as const
    return consumeReportLimit(appContext, actor, context) ?? execute(submitReport, actor, report, { clientId })
  })

  registerRoute(app, appContext, routes.reportCall, ({ input, actor, clientId, context }) => {
    const { callId, username, reason, note } = input
    const refusal = refuse('NoSuchCall', { message: CALL_NOT_FOUND_TEXT })
    const call = appContext.service(recentCalls).find(reader, actor.userId, callId)
    if (!call) return refusal
    const otherId = call.callerId === actor.userId ? call.calleeId : call.callerId
    if (findRecipient(reader, username, otherId) instanceof Refusal) return refusal
    const report = { kind: 'call', target: { call }, item: callId, reason, note } as const
    return consumeReportLimit(appContext, actor, context) ?? execute(submitReport, actor, report, { clientId })
  })
}

function queueRoutes(app: NodeApp, appContext: AppContext): void {
  const { reader, clock, execute } = appContext

  registerRoute(app, appContext, routes.reportGroups, async ({ input }) => {
    const { state, kind = null, reason = null, before = null } = input
    const page = await appContext.readInWorker(listReportGroups, { state, kind, reason, before, now: clock() })
    return { success: true as const, ...page }
  })

  registerRoute(app, appContext, routes.reportsOfUser, ({ input: { userId, state, before }, actor }) => {
    // Who reports a root admin is not shown to that one.
    if (userId === actor.userId) return refuse('Forbidden', { message: REPORT_ABOUT_SELF_TEXT })
    return reader.snapshot((snapshot) => ({
      success: true as const,
      group: findGroup(snapshot, userId, clock()),
      ...listReports(snapshot, userId, { state, before }),
    }))
  })

  registerRoute(app, appContext, routes.reportContent, async ({ input: { id }, actor }) => {
    const recorded = await execute(recordContentRead, actor, { reportId: id })
    if (recorded instanceof Refusal) return recorded
    return reader.snapshot((snapshot) => {
      const [report, content] = [findReport(snapshot, id), findContent(snapshot, id)]
      if (!report || !content) return refuse('NotFound', { message: REPORT_NOT_FOUND_TEXT })
      return { success: true as const, report, content }
    })
  })
}

function decisionRoutes(app: NodeApp, appContext: AppContext): void {
  const { execute } = appContext

  registerRoute(app, appContext, routes.decideReports, ({ input, actor, clientId }) => {
    const { duration = null, ...decision } = input
    return execute(decideReports, actor, { ...decision, duration }, { clientId })
  })
}
