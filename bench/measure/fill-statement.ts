import type Sqlite from 'better-sqlite3'
import type { UserId } from '../../src/shared/protocol/ids.ts'

/** Loads of one kuruş each, by which a member's statement gets `count` rows. The ledger stays right. */
export function fillStatement(db: Sqlite.Database, { userId, count }: { userId: UserId; count: number }): void {
  // The guards check each row, which takes longer than to insert it.
  const guards = db.prepare("select name, sql from sqlite_schema where type = 'trigger' and name like 'ledger%'").all()
  db.transaction(() => {
    for (const { name } of guards as { name: string }[]) db.exec(`drop trigger ${name}`) // the selected column
    insertLoads(db, userId, count)
    for (const { sql } of guards as { sql: string }[]) db.exec(sql)
  })()
}

function insertLoads(db: Sqlite.Database, userId: UserId, count: number): void {
  const read = (sql: string) => Number(db.prepare(sql).pluck().get())
  const lastId = read('select coalesce(max(id), 0) from ledgerTransaction')
  const lastReference = read('select coalesce(max(referenceId), 0) from ledgerTransaction')
  const [bank, bankKurus] = [
    read("select id from ledgerAccount where kind = 'bank'"),
    read("select balanceKurus from ledgerAccount where kind = 'bank'"),
  ]
  const account = Number(
    db.prepare("insert into ledgerAccount (kind, userId) values ('loaded', ?)").run(userId).lastInsertRowid,
  )
  const numbers = 'with recursive number (n) as (select 1 union all select n + 1 from number where n < @count)'
  const fill = (insert: string, select: string, params: object) =>
    db.prepare(`insert into ${insert} ${numbers} ${select} from number`).run({ count, ...params })
  fill('ledgerTransaction (id, kind, referenceId, createdAt)', "select @lastId + n, 'load', @lastReference + n, n", {
    ...{ lastId, lastReference },
  })
  fill('ledgerEntry', 'select @lastId + n, @account, 1, n', { lastId, account })
  fill('ledgerEntry', 'select @lastId + n, @bank, -1, @bankKurus - n', { lastId, bank, bankKurus })
  const keep = db.prepare('update ledgerAccount set balanceKurus = balanceKurus + ? where id = ?')
  keep.run(count, account)
  keep.run(-count, bank)
}
