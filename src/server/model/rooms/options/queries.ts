import type { CapacityOptionId, DurationOptionId } from '../../../../shared/protocol/ids.ts'
import type { CapacityOption, DurationOption } from '../../../../shared/rooms/options-protocol.ts'
import { BASIS_POINTS } from '../../../../shared/rooms/rules.ts'
import { toLira } from '../../../../shared/wallet/ledger.ts'
import type { Reader } from '../../../kernel/database/read.ts'
import { query } from '../../schema/query.ts'

/** A capacity that can be ordered. */
export const capacityOptionById = query<{ id: CapacityOptionId }>()((db, p) =>
  db
    .selectFrom('capacityOption')
    .select(['id', 'numberOfPeople', 'priceKurus'])
    .where('id', '=', p('id'))
    .where('deletedAt', 'is', null),
)
/** A duration that can be ordered. */
export const durationOptionById = query<{ id: DurationOptionId }>()((db, p) =>
  db
    .selectFrom('durationOption')
    .select(['id', 'durationInMonths', 'discountBasisPoints'])
    .where('id', '=', p('id'))
    .where('deletedAt', 'is', null),
)

const presentCapacityOptions = query()((db) =>
  db
    .selectFrom('capacityOption')
    .select(['id', 'numberOfPeople', 'priceKurus'])
    .where('deletedAt', 'is', null)
    .orderBy('numberOfPeople'),
)
const presentDurationOptions = query()((db) =>
  db
    .selectFrom('durationOption')
    .select(['id', 'durationInMonths', 'discountBasisPoints'])
    .where('deletedAt', 'is', null)
    .orderBy('durationInMonths'),
)

/** The capacities that can be ordered, the smallest first. */
export function listCapacityOptions(reader: Pick<Reader, 'all'>): CapacityOption[] {
  return reader.all(presentCapacityOptions).map(({ priceKurus, ...rest }) => ({ ...rest, price: toLira(priceKurus) }))
}

/** The durations that can be ordered, the shortest first. */
export function listDurationOptions(reader: Pick<Reader, 'all'>): DurationOption[] {
  return reader
    .all(presentDurationOptions)
    .map(({ discountBasisPoints, ...rest }) => ({ ...rest, discountPercentage: discountBasisPoints / BASIS_POINTS }))
}
