import { openTestDatabase, standingClock } from "../support/databases.ts";

/** Opens the database that it is given, says so, and stays until it is killed. */
const open = await openTestDatabase(process.argv[2] ?? "", standingClock("2026-11-19T12:00:00Z"));
await open.probeWrite();
process.send?.("open");
setInterval(() => {}, 60_000);
