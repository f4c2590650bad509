import { describe, expect, test } from "vitest";
import { purgeAudit, recordAudit } from "#src/database/audit.ts";
import { databases } from "../support/databases.ts";
import { ANA, later, NOON } from "./builders.ts";
import { useStore } from "./use-store.ts";

describe.each(databases)("the audit on $name", (kind) => {
  const store = useStore(kind);

  test("keeps who did what and when", async () => {
    const { db } = store();
    await recordAudit(db, { at: NOON, actor: ANA, action: "account_removed", subject: "id" });
    const events = await db.selectFrom("audit_event").selectAll().execute();
    expect(events).toEqual([
      { at: "2026-11-19T12:00:00.000Z", actor: ANA, action: "account_removed", subject: "id" },
    ]);
  });

  test("forgets what was done before an instant, and nothing since", async () => {
    const { db } = store();
    for (const [at, subject] of [
      [NOON, "old"],
      [later(1), "kept"],
      [later(2), "new"],
    ] as const)
      await recordAudit(db, { at, actor: ANA, action: "account_removed", subject });
    const subjects = async () =>
      (await db.selectFrom("audit_event").select("subject").orderBy("at").execute()).map(
        ({ subject }) => subject,
      );
    await purgeAudit(db)(later(1), AbortSignal.abort());
    expect(await subjects()).toEqual(["old", "kept", "new"]);
    await purgeAudit(db)(later(1));
    expect(await subjects()).toEqual(["kept", "new"]);
  });
});
