import { existsSync, rmSync, writeFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** What one transaction changed: its statements, or, where it changed the schema, the whole file after it. */
export type TransactionChange = string[] | Buffer

/** What decides over the commits of the connection that writes. */
export interface CommitInterceptor {
  /** False when the lease has gone: the commit fails as it does on LiteFS. */
  canCommit(): boolean
  onCommit(change: TransactionChange): void
}

interface Column {
  name: string
  pk: number
}

/** One region's database file, which is written by others' transactions while connections are open on it. */
export class SimulatedDatabaseFile {
  readonly path: string
  private connection: Sqlite.Database | null = null

  constructor(path: string) {
    this.path = path
  }

  get exists(): boolean {
    return existsSync(this.path)
  }

  /** What the file holds now, whole. */
  serialize(): Buffer {
    return this.openConnection().serialize()
  }

  /** Looks into it from outside the site. */
  read<T>(look: (db: Sqlite.Database) => T): T {
    return look(this.openConnection())
  }

  /** Runs another region's transaction. */
  apply(change: TransactionChange): void {
    if (Buffer.isBuffer(change)) this.restoreSnapshot(change)
    else this.applyStatements(change)
  }

  private applyStatements(change: string[]): void {
    const db = this.openConnection()
    db.exec('begin immediate')
    for (const sql of change) db.exec(sql)
    db.exec('commit')
  }

  /** Takes a whole file over, in one transaction. */
  restoreSnapshot(whole: Buffer): void {
    if (!this.exists) {
      writeFileSync(this.path, whole)
      return
    }
    const draft = `${this.path}-snapshot`
    writeFileSync(draft, withoutWalMode(whole))
    const db = this.openConnection()
    db.prepare('attach ? as snapshot').run(draft)
    db.exec('begin immediate')
    if (readSchema(db, 'main') !== readSchema(db, 'snapshot')) recreateSchema(db)
    for (const table of listTables(db, 'snapshot')) {
      db.exec(`delete from main."${table}"; insert into main."${table}" select * from snapshot."${table}"`)
    }
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
 * Makes a connection tell of each transaction that it commits, or fail to. Source of how it fails:
 * docs/decisions/0008, "Ten central facts", 8.
 */
export function interceptCommits(db: Sqlite.Database, keeper: CommitInterceptor): void {
  const prepare = db.prepare.bind(db)
  const commit = prepare('commit')
  db.pragma('synchronous = OFF')
  db.pragma('temp_store = MEMORY')
  db.exec('create temp table recorded (number integer primary key, sql text not null)')
  let schema = -1
  const watch = () => {
    schema = Number(db.pragma('schema_version', { simple: true }))
    for (const table of listTables(db, 'main')) addRecordingTriggers(db, table)
  }
  const run = () => {
    const recorded = prepare('select sql from recorded order by number').pluck().all() as string[] // its one column
    const isSchemaNew = db.pragma('schema_version', { simple: true }) !== schema
    if ((isSchemaNew || recorded.length > 0) && !keeper.canCommit()) {
      prepare('rollback').run() // SQLite does so by itself where writing the commit fails
      throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE')
    }
    prepare('delete from recorded').run()
    const done = commit.run()
    if (isSchemaNew) watch()
    if (isSchemaNew) keeper.onCommit(db.serialize())
    else if (recorded.length > 0) keeper.onCommit(recorded)
    return done
  }
  watch()
  const kept = (sql: string) => (/^\s*commit\s*;?\s*$/i.test(sql) ? { run } : prepare(sql))
  const transaction = (work: (...args: unknown[]) => unknown) => {
    const inOne = (...args: unknown[]) => {
      prepare('begin immediate').run()
      try {
        const result = work(...args)
        run()
        return result
      } catch (error) {
        if (db.inTransaction) prepare('rollback').run()
        throw error
      }
    }
    return Object.assign(inOne, { immediate: inOne, deferred: inOne, exclusive: inOne })
  }
  // Of these two the code under test uses no more than is here.
  Object.assign(db, { prepare: kept, transaction })
}

/** Rows that change are written down as the statements that change them so elsewhere; a savepoint takes them back too. */
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

/** A search's index is none of them: here it is filled where the messages are written, and nowhere else. */
function listTables(db: Sqlite.Database, schema: 'main' | 'snapshot'): string[] {
  const sql = `select name from pragma_table_list where schema = ? and type = 'table' and name not like 'sqlite_%' order by name`
  return db.prepare(sql).pluck().all(schema) as string[] // its one column
}

function readSchema(db: Sqlite.Database, schema: 'main' | 'snapshot'): string {
  return JSON.stringify(db.prepare(`select type, name, sql from ${schema}.sqlite_master order by type, name`).all())
}

/** Drops what there is and makes the snapshot's tables and indexes. */
function recreateSchema(db: Sqlite.Database): void {
  const kept = (schema: string) =>
    `select name from pragma_table_list where schema = '${schema}' and type in ('table', 'virtual') and name not like 'sqlite_%'`
  for (const table of db.prepare(kept('main')).pluck().all()) db.exec(`drop table main."${table}"`)
  const made = `select sql from snapshot.sqlite_master
    where sql is not null and (type <> 'table' or name in (${kept('snapshot')})) order by type = 'table' desc`
  for (const sql of db.prepare(made).pluck().all() as string[]) db.exec(sql) // its one column
}

/** A file in WAL mode says so at bytes 18 and 19 (SQLite's file format, 1.3); one to be read once needs no log. */
function withoutWalMode(whole: Buffer): Buffer {
  const copy = Buffer.from(whole)
  copy.set([1, 1], 18)
  return copy
}
