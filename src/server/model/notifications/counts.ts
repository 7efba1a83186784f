import type { UnreadCounts } from '../../../shared/notifications/notification.ts'
import type { NotificationTab } from '../../../shared/notifications/rules.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { Transaction } from '../../kernel/database/transaction.ts'
import { query } from '../schema/query.ts'

const countsOfUser = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('notificationCount').select(['tab', 'total', 'unread', 'lastId']).where('userId', '=', p('userId')),
)
const setCount = query<{ userId: UserId; tab: NotificationTab; total: number; unread: number; lastId: number }>()(
  (db, p) =>
    db
      .insertInto('notificationCount')
      .values({ userId: p('userId'), tab: p('tab'), total: p('total'), unread: p('unread'), lastId: p('lastId') })
      .onConflict((conflict) =>
        conflict
          .columns(['userId', 'tab'])
          .doUpdateSet({ total: p('total'), unread: p('unread'), lastId: p('lastId') }),
      ),
)

/** How many notifications a user has in each tab, kept beside the rows so that nothing counts them. */
export class NotificationCounts {
  private readonly userId: UserId
  private readonly byTab: Map<NotificationTab, { total: number; unread: number; lastId: number }>

  constructor(reader: Pick<Reader, 'all'>, userId: UserId) {
    this.userId = userId
    this.byTab = new Map(reader.all(countsOfUser, { userId }).map(({ tab, ...counts }) => [tab, counts]))
  }

  /** The rows of a tab. */
  total(tab: NotificationTab): number {
    return this.byTab.get(tab)?.total ?? 0
  }

  /** The id after all that the user's notifications have had. */
  nextId(): number {
    return Math.max(0, ...[...this.byTab.values()].map(({ lastId }) => lastId)) + 1
  }

  /** Stores a change of a tab. */
  change(tx: Transaction, tab: NotificationTab, change: { total: number; unread: number; lastId?: number }): void {
    const before = this.byTab.get(tab) ?? { total: 0, unread: 0, lastId: 0 }
    const after = {
      total: before.total + change.total,
      unread: before.unread + change.unread,
      lastId: change.lastId ?? before.lastId,
    }
    this.byTab.set(tab, after)
    tx.run(setCount, { userId: this.userId, tab, ...after })
  }

  /** The unread ones of each tab. */
  unread(): UnreadCounts {
    const unreadIn = (tab: NotificationTab) => this.byTab.get(tab)?.unread ?? 0
    return {
      dmCall: unreadIn('dmCall'),
      follow: unreadIn('follow'),
      mention: unreadIn('mention'),
      withdrawalRequest: unreadIn('withdrawalRequest'),
      starRequest: unreadIn('starRequest'),
      other: unreadIn('other'),
    }
  }
}
