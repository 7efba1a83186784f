import { existsSync, rmSync, writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** The change of one transaction: its statements, or the whole file after a change of the schema. */
export type TransactionChange = string[] | Buffer

/** Allows and records the commits of the writing connection. */
export interface CommitInterceptor {
  /** False after the lease is lost: the commit then fails as on LiteFS. */
  canCommit(): boolean
  onCommit(change: TransactionChange): void
}

interface Trigger {
  name: string
  sql: string
}

interface Column {
  name: string
  pk: number
}

/** One region's database file, to which other regions' transactions are applied under open connections. */
export class SimulatedDatabaseFile {
  readonly path: string
  private connection: Sqlite.Database | null = null

  constructor(path: string) {
    this.path = path
  }

  get exists(): boolean {
    return existsSync(this.path)
  }

  /** The content of the whole file. */
  serialize(): Buffer {
    return this.openConnection().serialize()
  }

  /** Reads the file on the simulation's own connection. */
  read<T>(query: (db: Sqlite.Database) => T): T {
    return query(this.openConnection())
  }

  /** Applies another region's transaction. */
  apply(change: TransactionChange): void {
    if (Buffer.isBuffer(change)) this.restoreSnapshot(change)
    else this.applyStatements(change)
  }

  private applyStatements(change: string[]): void {
    const db = this.openConnection()
    const runStatements = () => {
      for (const sql of change) db.exec(sql)
    }
    db.exec('begin immediate')
    // Creating the triggers again takes longer than most transactions.
    if (listTriggeredTables(db).some((table) => change.some((sql) => sql.includes(` "${table}" `)))) {
      withoutTriggers(db, runStatements)
    } else runStatements()
    db.exec('commit')
  }

  /** Replaces the content with a snapshot, in one transaction. */
  restoreSnapshot(snapshot: Buffer): void {
    if (!this.exists) {
      writeFileSync(this.path, snapshot)
      return
    }
    const draft = `${this.path}-snapshot`
    writeFileSync(draft, withoutWalMode(snapshot))
    const db = this.openConnection()
    db.prepare('attach ? as snapshot').run(draft)
    db.exec('begin immediate')
    if (readSchema(db, 'main') !== readSchema(db, 'snapshot')) recreateSchema(db)
    withoutTriggers(db, () => {
      for (const table of listTables(db, 'snapshot')) {
        db.exec(`delete from main."${table}"; insert into main."${table}" select * from snapshot."${table}"`)
      }
    })
    db.exec('commit; detach snapshot')
    rmSync(draft)
  }

  close(): void {
    this.connection?.close()
    this.connection = null
  }

  private openConnection(): Sqlite.Database {
    if (this.connection) return this.connection
    const db = new Sqlite(this.path)
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = OFF')
    db.pragma('foreign_keys = OFF')
    this.connection = db
    return db
  }
}

/**
 * Reports each commit of a connection to the interceptor, or makes it fail. Source of the failure:
 * docs/decisions/0008, "Ten central facts", 8.
 */
export function interceptCommits(db: Sqlite.Database, interceptor: CommitInterceptor): void {
  const prepare = db.prepare.bind(db)
  const commit = prepare('commit')
  db.pragma('synchronous = OFF')
  db.pragma('temp_store = MEMORY')
  db.exec('create temp table recorded (number integer primary key, sql text not null)')
  let schemaVersion = -1
  const installTriggers = () => {
    schemaVersion = Number(db.pragma('schema_version', { simple: true }))
    for (const table of listTables(db, 'main')) addRecordingTriggers(db, table)
  }
  const runCommit = () => {
    const recorded = prepare('select sql from recorded order by number').pluck().all() as string[] // its one column
    const isSchemaNew = db.pragma('schema_version', { simple: true }) !== schemaVersion
    if ((isSchemaNew || recorded.length > 0) && !interceptor.canCommit()) {
      prepare('rollback').run() // as SQLite does when the write of a commit fails
      throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE')
    }
    prepare('delete from recorded').run()
    const result = commit.run()
    if (isSchemaNew) installTriggers()
    if (isSchemaNew) interceptor.onCommit(db.serialize())
    else if (recorded.length > 0) interceptor.onCommit(recorded)
    return result
  }
  installTriggers()
  const interceptedPrepare = (sql: string) => (/^\s*commit\s*;?\s*$/i.test(sql) ? { run: runCommit } : prepare(sql))
  const transaction = (work: (...args: unknown[]) => unknown) => {
    const runInTransaction = (...args: unknown[]) => {
      prepare('begin immediate').run()
      try {
        const result = work(...args)
        runCommit()
        return result
      } catch (error) {
        if (db.inTransaction) prepare('rollback').run()
        throw error
      }
    }
    return Object.assign(runInTransaction, {
      immediate: runInTransaction,
      deferred: runInTransaction,
      exclusive: runInTransaction,
    })
  }
  // Only the parts of these two methods that the code under test uses.
  Object.assign(db, { prepare: interceptedPrepare, transaction })
}

/** Triggers record each changed row as SQL for the other regions; a savepoint's rollback also removes the records. */
function addRecordingTriggers(db: Sqlite.Database, table: string): void {
  const columns = db.prepare('select name, pk from pragma_table_info(?)').all(table) as Column[] // as selected
  const keys = columns.filter(({ pk }) => pk > 0)
  const values = (row: string, of: Column[]) => of.map(({ name }) => `quote(${row}."${name}")`).join(` || ',' || `)
  const where = (keys.length ? keys : columns).map(({ name }) => `"${name}"`).join(',')
  const removal = `'delete from "${table}" where (${where}) = (' || ${values('old', keys.length ? keys : columns)} || ')'`
  const addition = `'insert or replace into "${table}" values (' || ${values('new', columns)} || ')'`
  const record = (sql: string) => `insert into recorded (sql) values (${sql});`
  const trigger = (when: string, body: string) => {
    db.exec(`drop trigger if exists temp."${table} ${when}"`)
    db.exec(`create temp trigger "${table} ${when}" after ${when} on main."${table}" begin ${body} end`)
  }
  trigger('insert', record(addition))
  trigger('delete', record(removal))
  trigger('update', record(removal) + record(addition))
}

/** Ordinary tables, without the full-text index: in the simulation only the primary's search index is filled. */
function listTables(db: Sqlite.Database, schema: 'main' | 'snapshot'): string[] {
  const sql = `select name from pragma_table_list where schema = ? and type = 'table' and name not like 'sqlite_%' order by name`
  return db.prepare(sql).pluck().all(schema) as string[] // its one column
}

function readSchema(db: Sqlite.Database, schema: 'main' | 'snapshot'): string {
  return JSON.stringify(db.prepare(`select type, name, sql from ${schema}.sqlite_master order by type, name`).all())
}

function listTriggeredTables(db: Sqlite.Database): string[] {
  const sql = "select distinct tbl_name from main.sqlite_master where type = 'trigger'"
  return db.prepare(sql).pluck().all() as string[] // its one column
}

/** Copying pages, as LiteFS does, runs no triggers. */
function withoutTriggers(db: Sqlite.Database, work: () => void): void {
  const triggers = db.prepare("select name, sql from main.sqlite_master where type = 'trigger'").all() as Trigger[] // as selected
  for (const { name } of triggers) db.exec(`drop trigger main."${name}"`)
  work()
  for (const { sql } of triggers) db.exec(sql)
}

/** Drops all tables and creates the snapshot's tables and indexes. */
function recreateSchema(db: Sqlite.Database): void {
  const tableNames = (schema: string) =>
    `select name from pragma_table_list where schema = '${schema}' and type in ('table', 'virtual') and name not like 'sqlite_%'`
  for (const table of db.prepare(tableNames('main')).pluck().all()) db.exec(`drop table main."${table}"`)
  const creation = `select sql from snapshot.sqlite_master
    where sql is not null and (type <> 'table' or name in (${tableNames('snapshot')})) order by type = 'table' desc`
  for (const sql of db.prepare(creation).pluck().all() as string[]) db.exec(sql) // its one column
}

/** Clears WAL mode, bytes 18 and 19 (SQLite's file format, 1.3), because a file that is read once needs no log. */
function withoutWalMode(file: Buffer): Buffer {
  const copy = Buffer.from(file)
  copy.set([1, 1], 18)
  return copy
}
