import * as v from 'valibot'
import { idText, loggedEvent, route, Text } from '../../protocol/define.ts'
import { StarOptionId, WithdrawalOptionId } from '../../protocol/ids.ts'
import { INVALID_IBAN_TEXT, MISSING_FIELDS_TEXT } from '../texts.ts'
import { isIban, normaliseIban } from '../withdrawals/iban.ts'
import { MAX_OPTIONS, MAX_PREMIUM_DAYS } from './limits.ts'
import { OptionLira } from './lira.ts'
import { editingOptions, readingOptions } from './specs.ts'

/** `inactive`: it is kept, and cannot be chosen (specification 2, point 3). */
export const OptionStatus = v.picklist(['active', 'inactive'])
export type OptionStatus = v.InferOutput<typeof OptionStatus>

const amountFields = { amount: OptionLira, status: OptionStatus }
/** An amount in lira that can be loaded. */
export const StarOption = v.object({ id: StarOptionId, ...amountFields })
export type StarOption = v.InferOutput<typeof StarOption>
/** An amount in lira that can be withdrawn. */
export const WithdrawalOption = v.object({ id: WithdrawalOptionId, ...amountFields })
export type WithdrawalOption = v.InferOutput<typeof WithdrawalOption>

/** What premium costs in lira, and how many days it lasts. */
export const PremiumTerms = v.object({
  premiumCost: OptionLira,
  days: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1, 'Premium en az 1 gün sürmeli.'),
    v.maxValue(MAX_PREMIUM_DAYS, 'Premium en fazla 3.650 gün sürebilir.'),
  ),
})
export type PremiumTerms = v.InferOutput<typeof PremiumTerms>

const BankText = v.pipe(Text(80), v.trim(), v.minLength(1, MISSING_FIELDS_TEXT))
/** The account to which balance loads are paid. */
export const BankDetails = v.object({
  bankName: BankText,
  accountHolder: BankText,
  iban: v.pipe(Text(64), v.transform(normaliseIban), v.check(isIban, INVALID_IBAN_TEXT)),
})
export type BankDetails = v.InferOutput<typeof BankDetails>

/** The account as it is stored and sent. null: root admins have not set it. */
const ShownBank = v.nullable(v.object({ bankName: v.string(), accountHolder: v.string(), iban: v.string() }))

const SuccessAnswer = v.object({ success: v.literal(true) })
const StarAnswer = v.object({ success: v.literal(true), option: StarOption })
const WithdrawalAnswer = v.object({ success: v.literal(true), option: WithdrawalOption })
const PremiumAnswer = v.object({ success: v.literal(true), ...PremiumTerms.entries })
const BankAnswer = v.object({ success: v.literal(true), bank: ShownBank })

export const events = {
  starOptionAdded: loggedEvent({
    description: 'An amount can be loaded from now on.',
    payload: StarOption,
  }),
  starOptionUpdated: loggedEvent({
    description: 'An amount to load has changed; `inactive`: it cannot be chosen any more.',
    payload: StarOption,
  }),
  starOptionDeleted: loggedEvent({
    description: 'An amount can no longer be loaded.',
    payload: v.object({ id: StarOptionId }),
  }),
  withdrawalOptionAdded: loggedEvent({
    description: 'An amount can be withdrawn from now on.',
    payload: WithdrawalOption,
  }),
  withdrawalOptionUpdated: loggedEvent({
    description: 'An amount to withdraw has changed; `inactive`: it cannot be chosen any more.',
    payload: WithdrawalOption,
  }),
  withdrawalOptionDeleted: loggedEvent({
    description: 'An amount can no longer be withdrawn.',
    payload: v.object({ id: WithdrawalOptionId }),
  }),
  premiumCostUpdated: loggedEvent({
    description: 'Premium has another price or duration.',
    payload: PremiumTerms,
  }),
  bankDetailsUpdated: loggedEvent({
    description: 'Balance loads are paid to another account; null: to none for now.',
    payload: v.object({ bank: ShownBank }),
  }),
}

export const routes = {
  availableStarOptions: route({
    ...readingOptions,
    description: 'The active amounts that can be loaded, the lowest first.',
    method: 'GET',
    path: '/star-options/available',
    answer: v.array(StarOption),
  }),
  withdrawalOptions: route({
    ...readingOptions,
    description: 'The active amounts that can be withdrawn, the lowest first.',
    method: 'GET',
    path: '/withdrawal-options',
    answer: v.array(WithdrawalOption),
  }),
  premiumCost: route({
    ...readingOptions,
    description: 'What premium costs in lira, and how many days it lasts.',
    method: 'GET',
    path: '/users/premium-cost',
    answer: PremiumAnswer,
  }),
  bankDetails: route({
    ...readingOptions,
    description: 'The account to which balance loads are paid; null until root admins have set it.',
    method: 'GET',
    path: '/wallet/bank-details',
    answer: BankAnswer,
  }),
  allStarOptions: route({
    ...editingOptions,
    description: 'The amounts that can be loaded, with inactive ones.',
    limiter: null,
    retry: 'none',
    method: 'GET',
    path: '/root-admin/star-options',
    input: v.object({}),
    answer: v.array(StarOption),
  }),
  allWithdrawalOptions: route({
    ...editingOptions,
    description: 'The amounts that can be withdrawn, with inactive ones.',
    limiter: null,
    retry: 'none',
    method: 'GET',
    path: '/root-admin/withdrawal-options',
    input: v.object({}),
    answer: v.array(WithdrawalOption),
  }),
  addStarOption: route({
    ...editingOptions,
    description: `Adds an amount to load, at most ${MAX_OPTIONS} of them. The same amount twice is refused.`,
    method: 'POST',
    path: '/root-admin/star-options',
    input: v.object(amountFields),
    answer: StarAnswer,
  }),
  updateStarOption: route({
    ...editingOptions,
    description: 'Changes an amount to load. Requests that were made with it keep theirs.',
    method: 'PUT',
    path: '/root-admin/star-options/:id',
    input: v.object({ id: idText(StarOptionId), ...amountFields }),
    answer: StarAnswer,
  }),
  deleteStarOption: route({
    ...editingOptions,
    description:
      'Ends an amount to load. Requests that were made with it keep theirs. A repeated call changes nothing.',
    method: 'DELETE',
    path: '/root-admin/star-options/:id',
    input: v.object({ id: idText(StarOptionId) }),
    answer: SuccessAnswer,
  }),
  addWithdrawalOption: route({
    ...editingOptions,
    description: `Adds an amount to withdraw, at most ${MAX_OPTIONS} of them. The same amount twice is refused.`,
    method: 'POST',
    path: '/root-admin/withdrawal-options',
    input: v.object(amountFields),
    answer: WithdrawalAnswer,
  }),
  updateWithdrawalOption: route({
    ...editingOptions,
    description: 'Changes an amount to withdraw. Requests that were made with it keep theirs.',
    method: 'PUT',
    path: '/root-admin/withdrawal-options/:id',
    input: v.object({ id: idText(WithdrawalOptionId), ...amountFields }),
    answer: WithdrawalAnswer,
  }),
  deleteWithdrawalOption: route({
    ...editingOptions,
    description:
      'Ends an amount to withdraw. Requests that were made with it keep theirs. A repeated call changes nothing.',
    method: 'DELETE',
    path: '/root-admin/withdrawal-options/:id',
    input: v.object({ id: idText(WithdrawalOptionId) }),
    answer: SuccessAnswer,
  }),
  setPremiumCost: route({
    ...editingOptions,
    description: 'Sets what premium costs and how many days it lasts. Premium that was bought keeps its days.',
    method: 'PUT',
    path: '/root-admin/premium-cost',
    input: v.object(PremiumTerms.entries),
    answer: PremiumAnswer,
  }),
  setBankDetails: route({
    ...editingOptions,
    description: 'Sets the account to which balance loads are paid, or removes it with null.',
    method: 'PUT',
    path: '/root-admin/bank-details',
    input: v.object({ bank: v.nullable(BankDetails) }),
    answer: BankAnswer,
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { StarOption, WithdrawalOption, PremiumTerms }
