import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  type Insertable,
  type InsertResult,
  type InsertType,
  Kysely,
  type SelectType,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Updateable,
  type UpdateResult,
  type UpdateType,
} from 'kysely'
import type { KernelTables } from './schema.ts'

/**
 * Keeps SQLite from re-preparing a statement when its parameters change, which takes longer than running it. The planner
 * reads bound values (of a `limit`, beside an `order by`) unless they are behind a unary plus, which has no effect on
 * the value. Constant integers are written into the SQL text.
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (Number.isSafeInteger(value)) this.append(String(value))
    else super.appendValue(value)
  }

  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

/** Builds SQL but never runs it: read.ts and transaction.ts run it, synchronously. */
const queryBuilder = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new StablePlanCompiler(),
  },
})

/** The thread's only builder, typed by the tables that the caller knows; a migration must not know today's. */
export function queryBuilderOf<Tables>(): Kysely<Tables> {
  return queryBuilder as unknown as Kysely<Tables> // the tables are types alone: at run time all builders are equal
}

/** Values that SQLite can bind. Flags are 0 or 1, times are integers. */
export type SqlValue = string | number | bigint | Uint8Array | null
export type Params = Record<string, SqlValue>

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A compiled query; `bind` puts its named parameters into the order of the SQL. */
export interface Query<P, R> {
  readonly sql: string
  /** Always undefined at run time: it carries the types. */
  readonly types?: { params: P; row: R }
  bind(params: P): SqlValue[]
}

/** A `query` over these tables: model/schema/query.ts has the one over all tables. */
export function queryOf<Tables>() {
  const builder = queryBuilderOf<Tables>()
  /**
   * Compiles a query once, at module load. `p('name')` is a parameter:
   * `query<{ id: UserId }>()((db, p) => db.selectFrom('user').selectAll().where('id', '=', p('id')))`.
   */
  return <P extends Params = Record<never, never>>() =>
    <R>(
      build: (db: Kysely<Tables>, p: <K extends keyof P & string>(name: K) => P[K]) => Compilable<R>,
    ): Query<P, R> => {
      // Kysely does not inspect values, so a placeholder can replace a value until the query is bound.
      const compiled = build(builder, <K extends keyof P & string>(name: K) => new Placeholder(name) as unknown as P[K])
      return fromCompiled<P, R>(compiled.compile())
    }
}

/** A query over the tables of the core. */
export const query = queryOf<KernelTables>()
export const insertRow = insertRowOf<KernelTables>()

/** What an insert of a row needs besides these columns; nothing if the database fills in the others. */
type OtherColumns<Table, C extends keyof Table> =
  Record<never, never> extends Omit<Insertable<Table>, C>
    ? [constants?: Omit<Insertable<Table>, C>]
    : [constants: Omit<Insertable<Table>, C>]

/** An `insertRow` over these tables, beside the `query` over them. */
export function insertRowOf<Tables>() {
  const build = queryOf<Tables>()
  /** Compiles the insert of a row: each column is a parameter of its own name, except those that are always the same. */
  return <T extends keyof Tables & string, C extends keyof Tables[T] & string>(
    table: T,
    columns: readonly C[],
    ...[constants]: OtherColumns<Tables[T], C>
  ) => {
    type Row = { [K in C]: Exclude<InsertType<Tables[T][K]>, undefined> }
    const insert = build<Params>()((db, p) => {
      const values = Object.fromEntries(columns.map((name) => [name, p(name)]))
      return db.insertInto(table).values({ ...values, ...constants } as never) // the parameters above have its types
    })
    return insert as unknown as Query<Row, InsertResult> // its parameters are the columns
  }
}

/** An `updateRow` over these tables, beside the `query` over them. */
export function updateRowOf<Tables>() {
  const build = queryOf<Record<string, Record<string, SqlValue>>>()
  /**
   * Compiles an update of the row with these keys: keys and columns are parameters of their own names, and constants are
   * columns that are always set to the same.
   */
  return <T extends keyof Tables & string, K extends keyof Tables[T] & string, C extends keyof Tables[T] & string>(
    table: T,
    keys: readonly [K, ...K[]],
    columns: readonly C[],
    constants: Updateable<Omit<Tables[T], K | C>> = {},
  ) => {
    type Keys = { [N in K]: SelectType<Tables[T][N]> }
    type Columns = { [N in C]: Exclude<UpdateType<Tables[T][N]>, undefined> }
    const update = build<Params>()((db, p) => {
      const values = Object.fromEntries(columns.map((name) => [name, p(name)]))
      const changed = db.updateTable<string>(table).set({ ...values, ...constants })
      return keys.reduce((update, key) => update.where(key as string, '=', p(key)), changed)
    })
    return update as unknown as Query<Keys & Columns, UpdateResult> // its parameters are the keys and columns
  }
}

/** Wraps a query of Kysely; without placeholders its values are fixed, for migrations and rare work. */
export function fromCompiled<P extends Params, R>(compiled: CompiledQuery<R>): Query<P, R> {
  const slots = compiled.parameters
  return {
    sql: compiled.sql,
    bind: (params) =>
      slots.map((slot) => {
        if (!(slot instanceof Placeholder)) return slot as SqlValue // only bindable values are passed to Kysely
        const value = params[slot.name]
        if (value === undefined) throw new Error(`query parameter ${slot.name} is missing`)
        return value
      }),
  }
}
