import type Sqlite from 'better-sqlite3'
import { type Query, query } from './query.ts'

/** A query without parameters is called without an argument. */
export type QueryArgs<P> = keyof P extends never ? [] : [params: P]

/** Synchronous read-only access to the database. */
export interface Reader {
  all<P, R>(query: Query<P, R>, ...args: QueryArgs<P>): R[]
  get<P, R>(query: Query<P, R>, ...args: QueryArgs<P>): R | undefined
  /** The highest `seq` in the event log, 0 when it is empty. */
  cursor(): number
  /** Changes with every write of another connection: of the writer, another process or replication. */
  dataVersion(): number
  /** Runs reads on one consistent state of the database. */
  snapshot<T>(read: (reader: Reader) => T): T
}

const maxEventSeq = query()((db) => db.selectFrom('event').select((eb) => eb.fn.max('seq').as('seq')))

/** Prepares each SQL text once per connection. */
class StatementCache {
  readonly db: Sqlite.Database
  private readonly prepared = new Map<string, Sqlite.Statement>()

  constructor(db: Sqlite.Database) {
    this.db = db
  }

  prepare(sql: string): Sqlite.Statement {
    const cached = this.prepared.get(sql)
    if (cached) return cached
    const statement = this.db.prepare(sql)
    this.prepared.set(sql, statement)
    return statement
  }
}

/** A reader over one connection. */
export class DatabaseReader implements Reader {
  protected readonly statements: StatementCache

  constructor(db: Sqlite.Database) {
    this.statements = new StatementCache(db)
  }

  all<P, R>(query: Query<P, R>, ...args: QueryArgs<P>): R[] {
    return this.statements.prepare(query.sql).all(...bindParams(query, args)) as R[] // the row type is what Kysely inferred
  }

  get<P, R>(query: Query<P, R>, ...args: QueryArgs<P>): R | undefined {
    return this.statements.prepare(query.sql).get(...bindParams(query, args)) as R | undefined // as above
  }

  cursor(): number {
    return this.get(maxEventSeq)?.seq ?? 0
  }

  dataVersion(): number {
    const row = this.statements.prepare('pragma data_version').get() as { data_version: number } // what SQLite documents
    return row.data_version
  }

  snapshot<T>(read: (reader: Reader) => T): T {
    if (this.statements.db.inTransaction) return read(this)
    this.statements.prepare('begin').run()
    try {
      return read(this)
    } finally {
      this.statements.prepare('commit').run()
    }
  }
}

/** The values of a query's parameters in the order of its SQL. */
export function bindParams<P, R>(query: Query<P, R>, args: QueryArgs<P>) {
  return query.bind((args[0] ?? {}) as P) // a query without parameters reads none
}
