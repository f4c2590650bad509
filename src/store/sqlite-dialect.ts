import type BetterSqlite3 from "better-sqlite3";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

/** More distinct statements than the code has: the cache never turns over. */
const STATEMENTS_KEPT = 300;

const assertBindable = (parameters: readonly unknown[]): void => {
  for (const value of parameters) {
    // SQLite would keep a fraction in an integer column, NaN as NULL and a large integer rounded.
    if (typeof value === "number" && !Number.isSafeInteger(value)) {
      throw new RangeError("Only safe integers can be stored");
    }
  }
};

const connectionTo = (database: BetterSqlite3.Database): DatabaseConnection => {
  const statements = new Map<string, BetterSqlite3.Statement>();

  const statementOf = (sql: string): BetterSqlite3.Statement => {
    const kept = statements.get(sql);
    if (kept !== undefined) return kept;
    const statement = database.prepare(sql);
    if (statements.size >= STATEMENTS_KEPT) statements.clear();
    statements.set(sql, statement);
    return statement;
  };

  return {
    // oxlint-disable-next-line typescript/require-await -- SQLite answers at once; failures must still reject
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
      assertBindable(parameters);
      const statement = statementOf(sql);
      if (statement.reader) return { rows: statement.all(...parameters) as Row[] };
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
    },
    streamQuery: () => {
      throw new Error("Streaming is not used with SQLite");
    },
  };
};

const driverOf = (database: BetterSqlite3.Database): Driver => {
  const connection = connectionTo(database);
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // A deferred transaction that reads before it writes fails at once when another process wrote in between.
    beginTransaction: async () => void database.exec("begin immediate"),
    commitTransaction: async () => void database.exec("commit"),
    rollbackTransaction: async () => {
      // SQLite itself rolls back on errors such as a full disk.
      if (database.inTransaction) database.exec("rollback");
    },
    releaseConnection: async () => {},
    destroy: async () => void database.close(),
  };
};

/** Kysely on one open SQLite database, which `destroy` closes. Transactions take the write lock when they begin. */
export const sqliteDialect = (database: BetterSqlite3.Database): Dialect => ({
  createAdapter: (): DialectAdapter =>
    // So that a migration is there as a whole or not at all.
    Object.create(new SqliteAdapter(), { supportsTransactionalDdl: { value: true } }),
  createDriver: () => driverOf(database),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
