import { describe, expect, it } from "vitest";
import { type NewDelivery, referenceOf } from "#src/delivery/delivery.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { storedInstant } from "#src/database/columns.ts";
import { directChannel } from "../support/fake-channels.ts";
import { noticeTo } from "../database/builders.ts";
import { CHANNEL, type Stage, stageWithAna } from "../support/stage.ts";

const START = "2026-11-20T00:05Z";

/** Restores the database to a state before the outbox had entries; the next start notices it. */
const putBack = async (
  { db, clock }: Stage,
  aliveAt: Temporal.Instant,
  cause: "restored" | "gap" = "restored",
): Promise<void> => {
  await db.deleteFrom("outbox").execute();
  await db.deleteFrom("report_progress").execute();
  await db.updateTable("report_route").set({ posted_day: null }).execute();
  await noticed({ db, clock }, 1, cause, aliveAt);
};

const noticed = async (
  { db, clock }: Pick<Stage, "clock" | "db">,
  number: number,
  cause: "restored" | "gap",
  aliveAt: Temporal.Instant,
): Promise<void> => {
  const noticed_at = storedInstant(clock.now());
  await db
    .insertInto("database_restore")
    .values({ number, cause, noticed_at, last_event_at: null, alive_at: storedInstant(aliveAt) })
    .execute();
};

const live = async (stage: Stage): Promise<void> => {
  await stage.prepare();
  await stage.deliver();
};

const SALES = "910000000000000077";
const KEY = "withdrawal|W-AAAAA|completed";

const notice = (stage: Stage): NewDelivery => ({
  ...noticeTo("u-ana", KEY),
  payload: { content: `Saque feito ${referenceOf(KEY)}` },
  notBefore: stage.clock.now(),
});

const enqueueSale = async (stage: Stage, dedupeKey: string): Promise<void> => {
  const target = { kind: "channel", channelId: SALES } as const;
  const sale = { ...notice(stage), dedupeKey, kind: "sale_notice", target } as const;
  const payload = { content: `Venda ${referenceOf(dedupeKey)}` };
  await stage.stores.outbox.enqueue({ ...sale, payload }, stage.clock.now());
};

describe("posts that an older copy does not know of", () => {
  it("S3: a report of a day before is found in its channel, not posted again", async () => {
    const stage = await stageWithAna(START);
    const copied = stage.clock.now();
    await live(stage);
    expect(stage.channels.inChannel(CHANNEL)).toHaveLength(2);
    stage.clock.moveBy(3 * HOUR);
    await putBack(stage, copied);

    await live(stage);

    expect(stage.channels.inChannel(CHANNEL)).toHaveLength(2);
    expect(stage.counted).toEqual(Array.from({ length: 4 }, () => "sales_report sent"));
    // A day that closed after the restore cannot have been posted before it, so the history is not searched.
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    stage.clock.moveBy(24 * HOUR);
    await live(stage);
    expect(stage.channels.inChannel(CHANNEL)).toHaveLength(3);
  });

  it("S3: what was still due in the copy is looked for first, whatever became of it", async () => {
    const stage = await stageWithAna(START);
    await stage.prepare();
    const copied = stage.clock.now();
    const rows = await stage.db.selectFrom("outbox").selectAll().execute();
    await stage.deliver();
    stage.clock.moveBy(HOUR);
    await putBack(stage, copied);
    await stage.db.insertInto("outbox").values(rows).execute();
    await stage.deliver();
    expect(stage.channels.inChannel(CHANNEL)).toHaveLength(2);
  });

  it("S3: a direct message is looked for as well", async () => {
    const stage = await stageWithAna(START);
    const copied = stage.clock.now();
    await stage.stores.outbox.enqueue(notice(stage), stage.clock.now());
    await stage.deliver();
    stage.clock.moveBy(HOUR);
    await putBack(stage, copied);
    await stage.stores.outbox.enqueue(notice(stage), stage.clock.now());
    await stage.deliver();
    expect(stage.channels.inChannel(directChannel("u-ana"))).toHaveLength(1);
  });

  it("S3: a notice of a sale is looked for, and a sale of after the restore is posted", async () => {
    const stage = await stageWithAna(START);
    const copied = stage.clock.now();
    await enqueueSale(stage, "sale|one");
    await stage.deliver();
    stage.clock.moveBy(HOUR);
    await putBack(stage, copied);
    for (const key of ["sale|one", "sale|two"]) await enqueueSale(stage, key);
    await stage.deliver();
    expect(stage.channels.inChannel(SALES)).toHaveLength(2);
  });

  it("S3: a report that nobody may look for is not posted again, and its owner is told", async () => {
    const stage = await stageWithAna(START);
    const copied = stage.clock.now();
    await live(stage);
    stage.clock.moveBy(HOUR);
    await putBack(stage, copied);
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    await live(stage);
    expect(stage.channels.inChannel(CHANNEL)).toHaveLength(2);
    expect(stage.counted).toContain("sales_report unknown");
  });

  /** Places with 800 messages a day, of which a search reads 3,000. */
  const areBusy = ({ channels, clock }: Stage): void => {
    channels.searchMishap = (_, { after, before = clock.now() }) =>
      before.since(after).total("hours") > (3_000 / 800) * 24 ? { kind: "too_long" } : undefined;
  };
  it.each([
    ["restored", 30],
    ["restored", 150],
    ["gap", 30],
    ["gap", 150],
  ] as const)(
    "what is new in busy places four days after a %s of %i hours is told, also after a failed attempt",
    async (cause, hours) => {
      const stage = await stageWithAna(START);
      await putBack(stage, stage.clock.now().subtract({ hours }), cause);
      areBusy(stage);
      stage.clock.moveBy(4 * 24 * HOUR);
      await enqueueSale(stage, "sale|new");
      await stage.stores.outbox.enqueue(notice(stage), stage.clock.now());
      stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "503" }, made: false });
      await stage.deliver();
      stage.channels.mishap = undefined;
      stage.clock.moveBy(MINUTE);
      await stage.deliver();
      expect(stage.channels.inChannel(SALES)).toHaveLength(1);
      expect(stage.channels.inChannel(directChannel("u-ana"))).toHaveLength(1);
      expect(stage.counted.slice(-2)).toEqual(["sale_notice sent", "notice sent"]);
    },
  );

  it("an alert of days after a short restore is sure in a busy place, though the bot was stopped since", async () => {
    const stage = await stageWithAna(START);
    const { channels, clock, stores } = stage;
    const ago = (minutes: number) => clock.now().subtract({ minutes });
    await putBack(stage, ago(10));
    areBusy(stage);
    clock.moveBy(5 * 24 * HOUR);
    await noticed(stage, 2, "gap", ago(4));
    clock.moveBy(MINUTE);
    const alert = { ...noticeTo("u-ana", "med|a|i|new"), kind: "dispute_alert" } as const;
    await stores.outbox.enqueue({ ...alert, notBefore: clock.now() }, clock.now());
    await stage.deliver();
    expect(stage.counted).toEqual(["dispute_alert sent"]);
    expect(channels.inChannel(directChannel("u-ana"))).toHaveLength(1);
  });

  it("what an attempt since then has posted in a busy place is found there", async () => {
    const stage = await stageWithAna(START);
    await putBack(stage, stage.clock.now().subtract({ hours: 150 }));
    areBusy(stage);
    await enqueueSale(stage, "sale|new");
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "503" }, made: true });
    await stage.deliver();
    stage.channels.mishap = undefined;
    stage.clock.moveBy(5 * MINUTE);
    await stage.deliver();
    expect(stage.channels.inChannel(SALES)).toHaveLength(1);
    expect(stage.counted.at(-1)).toBe("sale_notice sent");
  });

  it("a report that a lost run may have posted among too many messages is not posted again", async () => {
    const stage = await stageWithAna(START);
    await putBack(stage, stage.clock.now().subtract({ hours: 150 }));
    areBusy(stage);
    await live(stage);
    expect(stage.channels.inChannel(CHANNEL)).toHaveLength(0);
    expect(stage.counted).toContain("sales_report unknown");
  });

  it("a report that was tried after a mere silence is posted, though many messages came in it", async () => {
    const stage = await stageWithAna(START);
    await putBack(stage, stage.clock.now().subtract({ hours: 150 }), "gap");
    areBusy(stage);
    stage.clock.moveBy(HOUR);
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "503" }, made: false });
    await live(stage);
    stage.channels.mishap = undefined;
    stage.clock.moveBy(MINUTE);
    await stage.deliver();
    expect(stage.channels.inChannel(CHANNEL)).toHaveLength(2);
  });

  it("after a mere silence a history that nobody may read holds nothing up", async () => {
    const stage = await stageWithAna(START);
    await putBack(stage, stage.clock.now().subtract({ minutes: 10 }), "gap");
    stage.clock.moveBy(MINUTE);
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    await live(stage);
    expect(stage.channels.inChannel(CHANNEL)).toHaveLength(2);
  });
});
