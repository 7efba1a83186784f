import type { StarOptionId, WithdrawalOptionId } from '../../../../shared/protocol/ids.ts'
import { toLira } from '../../../../shared/wallet/ledger.ts'
import type {
  BankDetails,
  OptionStatus,
  PremiumTerms,
  StarOption,
  WithdrawalOption,
} from '../../../../shared/wallet/options/protocol.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import { query } from '../../schema/query.ts'

/** An amount that can be loaded now. */
export const activeStarOptionById = query<{ id: StarOptionId }>()((db, p) =>
  db
    .selectFrom('starOption')
    .select(['id', 'amountKurus'])
    .where('id', '=', p('id'))
    .where('status', '=', 'active')
    .where('deletedAt', 'is', null),
)
/** An amount that can be withdrawn now. */
export const activeWithdrawalOptionById = query<{ id: WithdrawalOptionId }>()((db, p) =>
  db
    .selectFrom('withdrawalOption')
    .select(['id', 'amountKurus'])
    .where('id', '=', p('id'))
    .where('status', '=', 'active')
    .where('deletedAt', 'is', null),
)

const presentStarOptions = query()((db) =>
  db
    .selectFrom('starOption')
    .select(['id', 'amountKurus', 'status'])
    .where('deletedAt', 'is', null)
    .orderBy('amountKurus'),
)
const presentWithdrawalOptions = query()((db) =>
  db
    .selectFrom('withdrawalOption')
    .select(['id', 'amountKurus', 'status'])
    .where('deletedAt', 'is', null)
    .orderBy('amountKurus'),
)
const premiumTerms = query()((db) => db.selectFrom('premiumTerms').select(['priceKurus', 'days']))
const bankDetails = query()((db) => db.selectFrom('bankDetails').select(['bankName', 'accountHolder', 'iban']))

/** The amounts to load with inactive ones, the lowest first. */
export function listStarOptions(reader: Pick<Reader, 'all'>): StarOption[] {
  return reader.all(presentStarOptions).map(toAmountOption)
}

/** The amounts to withdraw with inactive ones, the lowest first. */
export function listWithdrawalOptions(reader: Pick<Reader, 'all'>): WithdrawalOption[] {
  return reader.all(presentWithdrawalOptions).map(toAmountOption)
}

/** What premium costs and how long it lasts. */
export function getPremiumTerms(reader: Pick<Reader, 'get'>): { priceKurus: number; days: number } {
  const terms = reader.get(premiumTerms)
  if (!terms) throw new Error('the row of premiumTerms is missing')
  return terms
}

export function getPremiumCost(reader: Pick<Reader, 'get'>): PremiumTerms {
  const { priceKurus, days } = getPremiumTerms(reader)
  return { premiumCost: toLira(priceKurus), days }
}

/** The account to which balance loads are paid; null while it is not set. */
export function getBankDetails(reader: Pick<Reader, 'get'>): BankDetails | null {
  return reader.get(bankDetails) ?? null
}

/** An amount option as clients get it. */
function toAmountOption<Id>(row: { id: Id; amountKurus: number; status: OptionStatus }): {
  id: Id
  amount: number
  status: OptionStatus
} {
  return { id: row.id, amount: toLira(row.amountKurus), status: row.status }
}
