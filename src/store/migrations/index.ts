import type { Migration } from "kysely/migration";
import { firstTables } from "./0001-first-tables.ts";
import { money } from "./0002-money.ts";
import { disputes } from "./0003-disputes.ts";
import { people } from "./0007-people.ts";

/** Every step that the tables went through, in order. A step that was released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-first-tables": firstTables,
  "0002-money": money,
  "0003-disputes": disputes,
  "0007-people": people,
};
