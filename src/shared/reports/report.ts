import * as v from 'valibot'
import { Gender, Role, UserSummary } from '../accounts/protocol.ts'
import { CallId, CallType } from '../calls/protocol.ts'
import { Media } from '../media/media.ts'
import { BanDuration, BanReason } from '../moderation/protocol.ts'
import { Post, PostComment } from '../posts/post.ts'
import { Count, Time } from '../protocol/define.ts'
import { MessageId, PostId, ReportDecisionId, ReportId, RoomId, UserId } from '../protocol/ids.ts'
import { decisionKinds, reportKinds, reportReasons } from './rules.ts'

export const ReportKind = v.picklist(reportKinds)
export const ReportReason = v.picklist(reportReasons)
export const DecisionKind = v.picklist(decisionKinds)

/** A user with the name of now. */
const NamedUser = v.object({ id: UserId, username: v.string() })

/** What a root admin has decided about reports of one user. */
export const Decision = v.object({
  id: ReportDecisionId,
  decision: DecisionKind,
  by: NamedUser,
  at: Time,
  /** Of a mute or a ban, else null. */
  duration: v.nullable(BanDuration),
  /** Of a ban from the site, else null. */
  banReason: v.nullable(BanReason),
  /** What the reported user was told: a warning, or why they are muted; '' otherwise. */
  text: v.string(),
  /** The reported user. */
  userId: UserId,
  reportIds: v.array(ReportId),
})
export type Decision = v.InferOutput<typeof Decision>

/** The reports of one reported user in the queue. Counts, kinds and reasons are those of the listed state. */
export const ReportGroup = v.object({
  user: UserSummary,
  userIsBanned: v.boolean(),
  /** A guest who has left for good, or an account that is erased. */
  isGone: v.boolean(),
  openCount: Count,
  decidedCount: Count,
  /** Different users who have reported. */
  reporterCount: Count,
  kinds: v.array(ReportKind),
  reasons: v.array(ReportReason),
  firstAt: Time,
  latestAt: Time,
})
export type ReportGroup = v.InferOutput<typeof ReportGroup>

/** What a report is about and where that is, for a link. The fields of other kinds are null. */
export const ReportSubject = v.object({
  /** Of a message in a room or of a direct message. */
  messageId: v.nullable(MessageId),
  roomId: v.nullable(RoomId),
  /** The name of the room now. */
  roomName: v.nullable(v.string()),
  postId: v.nullable(PostId),
  callId: v.nullable(CallId),
})
export type ReportSubject = v.InferOutput<typeof ReportSubject>

/** A report without what was kept with it. */
export const Report = v.object({
  id: ReportId,
  kind: ReportKind,
  reason: ReportReason,
  /** What the reporter wrote, or ''. */
  note: v.string(),
  reporter: v.object({
    id: UserId,
    username: v.string(),
    isGuest: v.boolean(),
  }),
  createdAt: Time,
  isOpen: v.boolean(),
  /** Whether what was kept can still be read. */
  hasContent: v.boolean(),
  subject: ReportSubject,
  decision: v.nullable(Decision),
})
export type Report = v.InferOutput<typeof Report>

/** A message as it was when it was reported. */
export const KeptMessage = v.object({
  id: MessageId,
  senderId: UserId,
  senderUsername: v.string(),
  senderIsGuest: v.boolean(),
  content: v.string(),
  createdAt: Time,
  media: v.nullable(Media),
})
export type KeptMessage = v.InferOutput<typeof KeptMessage>

/** A message and those around it, the oldest first. */
const keptMessages = { messageId: MessageId, messages: v.array(KeptMessage) }

/** The public profile as it was. */
export const KeptProfile = v.object({
  id: UserId,
  username: v.string(),
  role: Role,
  isGuest: v.boolean(),
  gender: v.nullable(Gender),
  age: v.nullable(Count),
  city: v.nullable(v.string()),
  bio: v.nullable(v.string()),
  avatarUrl: v.nullable(v.string()),
  largeAvatarUrl: v.nullable(v.string()),
})
export type KeptProfile = v.InferOutput<typeof KeptProfile>

/** What is known of a call: nothing of what was said or shown is kept anywhere. */
export const KeptCall = v.object({
  callId: CallId,
  callType: CallType,
  caller: NamedUser,
  callee: NamedUser,
  startedAt: Time,
  /** null: nobody answered. */
  connectedAt: v.nullable(Time),
  /** null: it was still going on. */
  endedAt: v.nullable(Time),
})
export type KeptCall = v.InferOutput<typeof KeptCall>

/** What a report keeps, as it was at that moment. Names and pictures are those of that moment too. */
export const ReportContent = v.variant('kind', [
  v.object({ kind: v.literal('directMessage'), ...keptMessages }),
  v.object({ kind: v.literal('roomMessage'), ...keptMessages, roomId: RoomId, roomName: v.string() }),
  v.object({ kind: v.literal('post'), post: Post, owner: NamedUser, comments: v.array(PostComment) }),
  v.object({ kind: v.literal('profile'), profile: KeptProfile }),
  v.object({ kind: v.literal('call'), call: KeptCall }),
])
export type ReportContent = v.InferOutput<typeof ReportContent>
export type ReportContentOf<K extends ReportContent['kind']> = Extract<ReportContent, { kind: K }>
