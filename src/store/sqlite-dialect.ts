import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
} from "kysely";

/** More distinct statements than the code has: the cache never turns over. */
const STATEMENTS_KEPT = 300;

const isBindable = (value: unknown): value is SQLInputValue =>
  value === null || typeof value === "string" || Number.isSafeInteger(value);

/** SQLite would keep a fraction in an integer column, NaN as NULL and a large integer rounded. */
const bindable = (parameters: readonly unknown[]): SQLInputValue[] => {
  if (parameters.every(isBindable)) return [...parameters];
  throw new RangeError("Only safe integers, texts and null can be stored");
};

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

const connectionTo = (database: DatabaseSync): DatabaseConnection => {
  const statements = new Map<string, Prepared>();

  const prepare = (sql: string): Prepared => {
    const kept = statements.get(sql);
    if (kept !== undefined) return kept;
    const statement = database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    if (statements.size >= STATEMENTS_KEPT) statements.clear();
    statements.set(sql, prepared);
    return prepared;
  };

  return {
    // oxlint-disable-next-line typescript/require-await -- SQLite answers at once; failures must still reject
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      const values = bindable(parameters);
      const { statement, hasRows } = prepare(sql);
      if (hasRows) return { rows: statement.all(...values) as Row[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
    },
    streamQuery: () => {
      throw new Error("Streaming is not used with SQLite");
    },
  };
};

const driverOf = (database: DatabaseSync): Driver => {
  const connection = connectionTo(database);
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // A deferred transaction that reads before it writes fails at once when another process wrote in between.
    beginTransaction: async () => database.exec("begin immediate"),
    commitTransaction: async () => database.exec("commit"),
    rollbackTransaction: async () => {
      // SQLite itself rolls back on errors such as a full disk.
      if (database.isTransaction) database.exec("rollback");
    },
    releaseConnection: async () => {},
    destroy: async () => database.close(),
  };
};

/** A limit is part of the text: a statement whose limit is bound is planned anew each time that it runs. */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const value = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (!Number.isSafeInteger(value)) return super.visitLimit(node);
    this.append(`limit ${String(value)}`);
  }
}

/** Kysely on one open SQLite database, which `destroy` closes. Transactions take the write lock when they begin. */
export const sqliteDialect = (database: DatabaseSync): Dialect => ({
  createAdapter: (): DialectAdapter =>
    // So that a migration is there as a whole or not at all.
    Object.create(new SqliteAdapter(), { supportsTransactionalDdl: { value: true } }),
  createDriver: () => driverOf(database),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new QueryCompiler(),
});
