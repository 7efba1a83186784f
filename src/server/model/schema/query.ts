import { insertRowOf, queryOf, updateRowOf } from '../../kernel/database/query.ts'
import type { KernelTables } from '../../kernel/database/schema.ts'
import type { AnnouncementTables } from './announcements.ts'
import type { AuditTables } from './audit.ts'
import type { DirectMessageTables } from './direct-messages.ts'
import type { FingerprintTables } from './fingerprints.ts'
import type { GiftTables } from './gifts.ts'
import type { MediaTables } from './media.ts'
import type { ModerationTables } from './moderation.ts'
import type { NotificationTables } from './notifications.ts'
import type { PostTables } from './posts.ts'
import type { RelationTables } from './relations.ts'
import type { ReportTables } from './reports.ts'
import type { RestrictionTables } from './restrictions.ts'
import type { RoomAccessTables } from './room-access.ts'
import type { RoomChatTables } from './room-chat.ts'
import type { RoomManagementTables } from './room-management.ts'
import type { RoomOrderTables } from './room-orders.ts'
import type { RoomTables } from './rooms.ts'
import type { SanctionTables } from './sanctions.ts'
import type { TextFilterTables } from './text-filters.ts'
import type { WalletTables } from './wallet.ts'

/** The tables after all migrations. A noun of the model declares its own in a file of this folder. */
export interface Tables
  extends KernelTables,
    FingerprintTables,
    AnnouncementTables,
    AuditTables,
    DirectMessageTables,
    GiftTables,
    MediaTables,
    ModerationTables,
    NotificationTables,
    PostTables,
    RelationTables,
    ReportTables,
    RestrictionTables,
    RoomChatTables,
    RoomAccessTables,
    RoomManagementTables,
    RoomOrderTables,
    RoomTables,
    SanctionTables,
    TextFilterTables,
    WalletTables {}

/** Compiles a query over all tables once, at module load (kernel/database/query.ts). */
export const query = queryOf<Tables>()
/** Compiles the insert of a row of any table. */
export const insertRow = insertRowOf<Tables>()
/** Compiles an update of a row of any table by its keys. */
export const updateRow = updateRowOf<Tables>()
