import { codeOf } from "./passing-failure.ts";

/** Rules of the journal that the database itself enforces, and how SQLite names each: by its columns. */
const COLUMNS_OF = {
  one_lock_per_account: "withdraw_op.account_fp",
  one_open_cancel: "withdraw_op.account_fp, withdraw_op.target_txid",
  txid_once: "withdraw_op.account_fp, withdraw_op.txid",
} as const;

export type JournalRule = keyof typeof COLUMNS_OF;

const RULES = Object.keys(COLUMNS_OF) as readonly JournalRule[];

/**
 * The rule that a statement would have broken; undefined for every other error. Source: PostgreSQL's error 23505 with
 * the name of the index, SQLite's constraint with its columns.
 */
export const brokenRule = (error: unknown): JournalRule | undefined => {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (code === "23505") return RULES.find((rule) => rule === Reflect.get(error, "constraint"));
  if (code !== "SQLITE_CONSTRAINT") return undefined;
  const [, what = ""] = /^UNIQUE constraint failed: (.*)$/.exec(error.message) ?? [];
  return RULES.find((rule) => what === COLUMNS_OF[rule] || what === `index '${rule}'`);
};
