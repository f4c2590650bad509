import { sql } from "kysely";
import type { StoredInstant } from "./columns.ts";

/** What makes a delivery due again: in its own place of its line, as if no channel had been lost. */
export const dueAgain = {
  state: "due",
  not_before: sql.ref<StoredInstant>("line_at"),
  was_blocked: 0,
} as const;
