import * as v from 'valibot'
import { NameInput } from '../accounts/protocol.ts'
import { CallId } from '../calls/protocol.ts'
import { BanDuration, BanReason } from '../moderation/protocol.ts'
import { Count, idText, loggedEvent, PageCursor, route, Text } from '../protocol/define.ts'
import { MessageId, ReportId, RoomId, UserId } from '../protocol/ids.ts'
import {
  MAX_DECIDED_REPORTS,
  MAX_DECISION_TEXT_LENGTH,
  MAX_REPORTER_TEXT_LENGTH,
  REPORT_CONTEXT_MESSAGES,
  REPORT_GROUPS_PER_PAGE,
  REPORT_LIMIT,
  REPORTS_PER_PAGE,
} from './limits.ts'
import { Decision, DecisionKind, Report, ReportContent, ReportGroup, ReportKind, ReportReason } from './report.ts'
import { reportFields } from './report-fields.ts'

const TextAnswer = v.object({ success: v.literal(true), message: v.string() })
const DecisionText = v.pipe(Text(MAX_DECISION_TEXT_LENGTH), v.trim())

const reporting = {
  method: 'POST',
  access: 'signedIn',
  limiter: REPORT_LIMIT,
  retry: 'idempotencyKey',
  answer: TextAnswer,
} as const
const reading = { method: 'GET', access: 'rootadmin', limiter: null } as const
const deciding = {
  method: 'POST',
  access: 'rootadmin',
  retry: 'idempotencyKey',
} as const

export const events = {
  reportsChanged: loggedEvent({
    description:
      'The reports of a user have changed: new ones, or a decision; for root admins. ' +
      '`totalOpen` counts the users with open reports.',
    payload: v.object({ userId: UserId, openCount: Count, totalOpen: Count }),
  }),
}

export const routes = {
  reportRoomMessage: route({
    ...reporting,
    description:
      `Reports a message of a room to the root admins, with up to ${REPORT_CONTEXT_MESSAGES} messages around it that the ` +
      'sender may see. The other users learn nothing. A repeated report changes nothing.',
    path: '/rooms/report',
    input: v.object({ messageId: MessageId, roomId: RoomId, ...reportFields }),
  }),
  reportProfile: route({
    ...reporting,
    description: 'Reports the profile of a user, as the sender may see it now, with its picture.',
    path: '/users/report',
    input: v.object({
      username: NameInput,
      /** If given, the report is refused unless this user has the name. */
      userId: v.optional(UserId),
      ...reportFields,
    }),
  }),
  reportCall: route({
    ...reporting,
    description:
      'Reports a call of the sender: who called whom, when and how long. Of what was said or shown nothing exists. ' +
      'Refused with `NoSuchCall` for calls of others and for calls that ended long ago. Of `callId` the first 48 bits name ' +
      'the call: the notification of a missed one has them as `requestId`, which is one more than that number.',
    path: '/calls/report',
    input: v.object({ callId: CallId, username: NameInput, ...reportFields }),
  }),
  reportGroups: route({
    ...reading,
    description:
      `The users with open or with decided reports, ${REPORT_GROUPS_PER_PAGE} at a time: open ones by the number of reporters and ` +
      'the latest report, decided ones by the latest decision; with a kind or a reason, those whom such a report is about. ' +
      '`next` is the `before` of the next page, null on the last one. `totalOpen` counts all users with open reports.',
    path: '/moderation/reports',
    input: v.object({
      state: v.optional(v.picklist(['open', 'decided']), 'open'),
      kind: v.optional(ReportKind),
      reason: v.optional(ReportReason),
      before: v.optional(PageCursor),
    }),
    answer: v.object({
      success: v.literal(true),
      groups: v.array(ReportGroup),
      next: v.nullable(v.string()),
      totalOpen: Count,
    }),
  }),
  reportsOfUser: route({
    ...reading,
    description:
      `The reports of one reported user, the latest first, ${REPORTS_PER_PAGE} at a time, without what they keep. \`group\` is null ` +
      'when there are none.',
    path: '/moderation/reports/user/:userId',
    input: v.object({
      userId: idText(UserId),
      state: v.optional(v.picklist(['open', 'decided', 'all']), 'all'),
      before: v.optional(idText(ReportId)),
    }),
    answer: v.object({
      success: v.literal(true),
      group: v.nullable(ReportGroup),
      reports: v.array(Report),
      next: v.nullable(ReportId),
    }),
  }),
  reportContent: route({
    ...reading,
    description: 'What a report keeps. Each read is recorded in the action log with who has looked.',
    path: '/moderation/report/:id',
    input: v.object({ id: idText(ReportId) }),
    answer: v.object({ success: v.literal(true), report: Report, content: ReportContent }),
  }),
  decideReports: route({
    ...deciding,
    description:
      'Decides open reports of one user, with its effect: `remove` takes away what is reported, `mute` silences on the whole ' +
      'site. Refused with `ReportDecided`, which says by whom and when, if one of them is decided. The reporters get a ' +
      'notification of type `reportDecided`, which does not say what was done.',
    path: '/moderation/reports/decide',
    input: v.object({
      reportIds: v.pipe(v.array(ReportId), v.minLength(1), v.maxLength(MAX_DECIDED_REPORTS)),
      decision: DecisionKind,
      /** Of `mute`, `ban` and `ghostBan`. */
      duration: v.optional(BanDuration),
      /** Of `ban`. */
      banReason: v.optional(BanReason, 'Diğer'),
      /** To the reported user: the text of `warn`, or why they are muted; a mute without one has the reason of the report. */
      text: v.optional(DecisionText, ''),
      /** To the reporters, instead of the usual text. */
      reporterText: v.optional(v.pipe(Text(MAX_REPORTER_TEXT_LENGTH), v.trim()), ''),
    }),
    answer: v.object({ success: v.literal(true), decision: Decision }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { ReportGroup, Report, ReportContent, Decision }
