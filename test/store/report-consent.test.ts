import { describe, expect, test } from "vitest";
import { accountsStore } from "#src/store/accounts.ts";
import { outboxStore } from "#src/store/outbox.ts";
import { databases, standingClock } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  GUILD,
  later,
  NOON,
  noticeTo,
  reportOf,
  savedAccount,
  sent,
} from "./builders.ts";
import { useStore } from "./use-store.ts";

const clock = standingClock(NOON.toString());
const claimNow = { owner: "a", leaseMs: 60_000, limit: 9, now: NOON };

describe.each(databases)("consent to the report on $name", (kind) => {
  const store = useStore(kind, clock);
  const accounts = () => accountsStore(store().db, store().vault);
  const outbox = () => outboxStore(store().db, store().open.leaseNow);

  test("is of nobody who is not connected", async () => {
    expect(await accounts().setReportConsent(GUILD, ANA, true, NOON)).toBeUndefined();
  });

  test("says since when it holds", async () => {
    await accounts().save(
      savedAccount({ reportConsent: false, reportConsentAt: undefined }),
      anaKey,
    );
    const agreed = await accounts().setReportConsent(GUILD, ANA, true, later(5));
    expect(agreed?.reportConsent).toBe(true);
    expect(agreed?.reportConsentAt?.equals(later(5))).toBe(true);
    expect(await accounts().find(GUILD, ANA)).toEqual(agreed);
  });

  test("given twice holds since the first time", async () => {
    await accounts().save(savedAccount(), anaKey);
    const again = await accounts().setReportConsent(GUILD, ANA, true, later(5));
    expect(again?.reportConsentAt?.equals(NOON)).toBe(true);
  });

  test("withdrawn takes back the reports that wait, not the notices", async () => {
    const account = await accounts().save(savedAccount(), anaKey);
    const report = reportOf(account);
    const notice = { ...noticeTo(ANA, "notice|1"), accountId: account.id };
    await outbox().enqueue(report, NOON);
    await outbox().enqueue(notice, NOON);
    const refused = await accounts().setReportConsent(GUILD, ANA, false, later(5));
    expect(refused?.reportConsent).toBe(false);
    expect(await outbox().state(report.dedupeKey)).toBe("obsolete");
    expect(await outbox().state(notice.dedupeKey)).toBe("due");
  });

  test("withdrawn while a report is on its way keeps it from being tried again", async () => {
    const account = await accounts().save(savedAccount(), anaKey);
    await outbox().enqueue(reportOf(account), NOON);
    const [claim] = await outbox().claim(claimNow);
    await accounts().setReportConsent(GUILD, ANA, false, later(5));
    expect(await outbox().settle(claim!, sent)).toBe(false);
    expect(await outbox().claim({ ...claimNow, now: later(120_000) })).toEqual([]);
  });

  test("is on record with who changed it", async () => {
    const { id } = await accounts().save(savedAccount(), anaKey);
    await accounts().setReportConsent(GUILD, ANA, false, later(1));
    await accounts().setReportConsent(GUILD, ANA, true, later(2));
    const events = await store().db.selectFrom("audit_event").selectAll().orderBy("at").execute();
    expect(events.map(({ actor, action, subject }) => [actor, action, subject])).toEqual([
      [ANA, "account_connected", id],
      [ANA, "report_consent_withdrawn", id],
      [ANA, "report_consent_given", id],
    ]);
  });
});
