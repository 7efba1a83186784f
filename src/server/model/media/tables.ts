import type { Generated } from 'kysely'
import type { FileId } from '../../../shared/protocol/ids.ts'

declare module '../../kernel/database/schema.ts' {
  interface Database {
    file: { id: Generated<FileId>; hash: string; size: number; at: number; unreferencedSince: Generated<number | null> }
  }
}
