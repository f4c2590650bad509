import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
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
import { sqliteCode, storageProblem } from "../shared/store-errors.ts";
import { SECOND } from "../shared/time.ts";

/** How long a statement waits for another connection's lock. Meanwhile the whole process stands still. */
export const BUSY_MS = 5 * SECOND;

interface SqliteOptions {
  readonly readOnly?: boolean;
  /** 0 fails at once on another connection's lock. */
  readonly timeout?: number;
}

/** Opens a database file with Node's SQLite. `sqliteCode` (`src/shared/store-errors.ts`) reads its errors. */
export const openSqliteFile = (path: string, options: SqliteOptions = {}): DatabaseSync =>
  new DatabaseSync(path, { timeout: BUSY_MS, ...options });

/** Sets or reads a pragma. @returns the first value of its answer, if any */
export const pragma = (database: DatabaseSync, statement: string): unknown =>
  Object.values(database.prepare(`pragma ${statement}`).get() ?? {})[0];

/** Told of each query that meets a damaged page: its caller may only log it. */
export type OnDamage = (error: unknown) => void;

/** More than the code has distinct statements: the cache never overflows. */
const STATEMENTS_KEPT = 300;

const isBindable = (value: unknown): value is SQLInputValue =>
  value === null || typeof value === "string" || Number.isSafeInteger(value);

/**
 * Rejects values that SQLite would change: it stores a fraction in an integer column, NaN as NULL and rounds large
 * integers.
 */
const bindable = (parameters: readonly unknown[]): SQLInputValue[] => {
  if (parameters.every(isBindable)) return [...parameters];
  throw new RangeError("Only safe integers, texts and null can be stored");
};

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
}

/**
 * Runs statements. After a wait in vain none waits again until one that `writes` has passed: a lock that a tool holds for
 * minutes would otherwise stop all answers for as long, also those that only read.
 */
const createPatience = (database: DatabaseSync) => {
  let isPatient = true;
  const become = (patient: boolean): void => {
    if (patient === isPatient) return;
    pragma(database, `busy_timeout=${patient ? BUSY_MS : 0}`);
    isPatient = patient;
  };
  return <Result>(writes: boolean, statement: () => Result): Result => {
    try {
      const result = statement();
      if (writes) become(true);
      return result;
    } catch (error) {
      if (sqliteCode(error) === "SQLITE_BUSY") become(false);
      throw error;
    }
  };
};

const connectionTo = (
  database: DatabaseSync,
  patiently: ReturnType<typeof createPatience>,
  onDamage: OnDamage | undefined,
): DatabaseConnection => {
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
      try {
        const { statement, hasRows } = prepare(sql);
        if (hasRows) return { rows: patiently(false, () => statement.all(...values)) as Row[] };
        const { changes } = patiently(true, () => statement.run(...values));
        return { rows: [], numAffectedRows: BigInt(changes) };
      } catch (error) {
        if (storageProblem(error)?.kind === "corrupt_database") onDamage?.(error);
        throw error;
      }
    },
    streamQuery: () => {
      throw new Error("Streaming is not used with SQLite");
    },
  };
};

const driverOf = (database: DatabaseSync, onDamage: OnDamage | undefined): Driver => {
  const patiently = createPatience(database);
  const connection = connectionTo(database, patiently, onDamage);
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // A deferred transaction that reads first fails at its write when another process wrote in between.
    beginTransaction: async () => patiently(true, () => database.exec("begin immediate")),
    commitTransaction: async () => database.exec("commit"),
    rollbackTransaction: async () => {
      // SQLite rolls back by itself on errors such as a full disk.
      if (database.isTransaction) database.exec("rollback");
    },
    releaseConnection: async () => {},
    destroy: async () => database.close(),
  };
};

/** Writes the limit into the text: SQLite plans a statement with a bound limit again at each run. */
class QueryCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const value = ValueNode.is(node.limit) ? node.limit.value : undefined;
    if (!Number.isSafeInteger(value)) return super.visitLimit(node);
    this.append(`limit ${String(value)}`);
  }
}

/** Kysely on one open SQLite database, which `destroy` closes. Transactions take the write lock when they begin. */
export const sqliteDialect = (database: DatabaseSync, onDamage?: OnDamage): Dialect => ({
  createAdapter: (): DialectAdapter =>
    // Runs each migration in a transaction.
    Object.create(new SqliteAdapter(), { supportsTransactionalDdl: { value: true } }),
  createDriver: () => driverOf(database, onDamage),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new QueryCompiler(),
});
