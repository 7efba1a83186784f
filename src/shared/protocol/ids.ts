import type * as v from 'valibot'
import { Id } from './define.ts'

/**
 * A row id of one table. A plain number fits, so literals and SQLite's answers need no cast; an id of another table does
 * not. The field is never there at run time.
 */
type RowId<Table extends string> = number & { readonly __id?: Table }

export type UserId = RowId<'user'>
export type AlertId = RowId<'alert'>
export type FilterEntryId = RowId<'filterEntry'>
export type FilterHitId = RowId<'filterHit'>
export type HeldTextId = RowId<'heldText'>
export type RoomId = RowId<'room'>
export type MessageId = RowId<'message'>
export type SessionId = RowId<'session'>
export type FileId = RowId<'file'>
export type RestrictionId = RowId<'restriction'>
export type PostId = RowId<'post'>
export type CommentId = RowId<'postComment'>
export type LedgerTransactionId = RowId<'ledgerTransaction'>
export type CapacityOptionId = RowId<'capacityOption'>
export type DurationOptionId = RowId<'durationOption'>
export type StarOptionId = RowId<'starOption'>
export type WithdrawalOptionId = RowId<'withdrawalOption'>
export type GiftKindId = RowId<'giftKind'>
export type GiftId = RowId<'gift'>
export type MoneyRequestId = RowId<'moneyRequest'>
export type PremiumPurchaseId = RowId<'premiumPurchase'>
export type ActionId = RowId<'actionEntry'>
export type ActionNameId = RowId<'actionName'>
export type WarningId = RowId<'warning'>
export type ReportId = RowId<'report'>
export type ReportDecisionId = RowId<'reportDecision'>

// On the wire all of them are the same schema: only the types differ.
export const UserId: v.GenericSchema<UserId> = Id
export const AlertId: v.GenericSchema<AlertId> = Id
export const FilterEntryId: v.GenericSchema<FilterEntryId> = Id
export const FilterHitId: v.GenericSchema<FilterHitId> = Id
export const HeldTextId: v.GenericSchema<HeldTextId> = Id
export const RoomId: v.GenericSchema<RoomId> = Id
export const MessageId: v.GenericSchema<MessageId> = Id
export const SessionId: v.GenericSchema<SessionId> = Id
export const FileId: v.GenericSchema<FileId> = Id
export const RestrictionId: v.GenericSchema<RestrictionId> = Id
export const PostId: v.GenericSchema<PostId> = Id
export const CommentId: v.GenericSchema<CommentId> = Id
export const LedgerTransactionId: v.GenericSchema<LedgerTransactionId> = Id
export const CapacityOptionId: v.GenericSchema<CapacityOptionId> = Id
export const DurationOptionId: v.GenericSchema<DurationOptionId> = Id
export const StarOptionId: v.GenericSchema<StarOptionId> = Id
export const WithdrawalOptionId: v.GenericSchema<WithdrawalOptionId> = Id
export const GiftKindId: v.GenericSchema<GiftKindId> = Id
export const GiftId: v.GenericSchema<GiftId> = Id
export const MoneyRequestId: v.GenericSchema<MoneyRequestId> = Id
export const ActionId: v.GenericSchema<ActionId> = Id
export const WarningId: v.GenericSchema<WarningId> = Id
export const ReportId: v.GenericSchema<ReportId> = Id
export const ReportDecisionId: v.GenericSchema<ReportDecisionId> = Id
