import { describe, expect, test } from "vitest";
import { DAY, MINUTE } from "#src/shared/time.ts";
import { Secret } from "#src/shared/secret.ts";
import { databases } from "../support/databases.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { NONE_UNLISTED } from "#src/disputes/dispute-list.ts";
import { alertTo, newDispute, pollState } from "./dispute-builders.ts";
import { ANA, anaKey, GUILD, later, NOON, noticeTo, savedAccount } from "../database/builders.ts";
import { storedInstant } from "#src/database/columns.ts";
import { useStores } from "../database/use-store.ts";

const HOLD_MS = 2 * MINUTE;
const SELLERS = 24;

const counts = {
  byStatus: { pending: 2, agreed: 0, disagreed: 1, canceled: 0, total: 3 },
  byAnalysis: { pending: 2, accepted: 1, rejected: 0 },
} as const;

describe.each(databases)("polls of disputes on $name", (kind) => {
  const { store, watch, accounts } = useStores(kind);
  const connect = (index = 0) =>
    accounts().save(
      savedAccount({ guildId: index === 0 ? GUILD : `guild-${index}`, connectedAt: later(index) }),
      index === 0 ? anaKey : new Secret(`sk_sandbox_seller_${index}`),
    );
  const due = async (now: Temporal.Instant, limit = 100) => {
    const polls = await watch().duePolls(now, limit, HOLD_MS);
    return polls.map(({ account }) => account.id);
  };

  test("are due from the connection on, and are put off by who takes them", async () => {
    const account = await connect();
    expect(await due(NOON.subtract({ milliseconds: 1 }))).toEqual([]);
    const [taken] = await watch().duePolls(NOON, 1, HOLD_MS);
    expect(taken).toEqual({
      account,
      poll: await pollState(store().db, account.id),
      isQuiet: true,
    });
    expect(taken?.poll).toEqual({
      watchId: account.id,
      nextPollAt: later(HOLD_MS),
      counts: undefined,
      listReadAt: undefined,
      baselineAt: undefined,
    });
    expect(await due(later(HOLD_MS - 1))).toEqual([]);
    expect(await due(later(HOLD_MS))).toEqual([account.id]);
  });

  test("are due when a clock that has gone back since put them off for longer than anybody waits", async () => {
    const { id } = await connect();
    await due(later(DAY));
    expect(await due(later(DAY + HOLD_MS - 20 * MINUTE))).toEqual([]);
    expect(await due(later(DAY + HOLD_MS - 20 * MINUTE - 1))).toEqual([id]);
    expect(await due(later(DAY + HOLD_MS - 20 * MINUTE - 1))).toEqual([]);
  });

  test("of one wallet account become due by a call, and stay so until they are taken", async () => {
    const [{ id, accountFp }, other] = [await connect(), await connect(1)];
    await due(NOON);
    await due(later(1));
    expect(await due(later(2))).toEqual([]);
    expect(await watch().makeDue(accountFp, later(3))).toBe(true);
    expect(await watch().makeDue(accountFp, later(4))).toBe(true);
    expect(await watch().makeDue("unknown", later(4))).toBe(false);
    expect(await due(later(5))).toEqual([id]);
    expect(other.id).not.toBe(id);
  });

  test("come back as they were saved", async () => {
    const { id } = await connect();
    const [taken] = await watch().duePolls(NOON, 1, HOLD_MS);
    const after = {
      nextPollAt: later(5 * MINUTE),
      counts,
      listReadAt: later(1),
      baselineAt: later(2),
    };
    const done = { claimed: taken!.poll, after };
    expect(await watch().savePolls([done])).toEqual([done]);
    expect(await pollState(store().db, id)).toEqual({ watchId: id, ...after });
  });

  test("that found nothing new keep what was found before", async () => {
    const ids = [(await connect(0)).id, (await connect(1)).id];
    const first = await watch().duePolls(later(1), 2, HOLD_MS);
    const found = { nextPollAt: later(5 * MINUTE), counts, listReadAt: NOON, baselineAt: NOON };
    await watch().savePolls(first.map(({ poll }) => ({ claimed: poll, after: found })));
    const again = await watch().duePolls(later(5 * MINUTE), 2, HOLD_MS);
    const next = later(10 * MINUTE);
    await watch().savePolls(
      again.map(({ poll }) => ({ claimed: poll, after: { ...poll, nextPollAt: next } })),
    );
    for (const watchId of ids)
      expect(await pollState(store().db, watchId)).toEqual({ watchId, ...found, nextPollAt: next });
  });

  test("are not saved by one whose time ran out while another took them, nor of an account that went", async () => {
    const { id } = await connect();
    const [slow] = await watch().duePolls(NOON, 1, HOLD_MS);
    const [quick] = await watch().duePolls(later(HOLD_MS), 1, HOLD_MS);
    const after = { ...slow!.poll, counts };
    expect(await watch().savePolls([{ claimed: slow!.poll, after }])).toEqual([]);
    expect((await pollState(store().db, id))?.counts).toBeUndefined();
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await watch().savePolls([{ claimed: quick!.poll, after }])).toEqual([]);
    expect(await pollState(store().db, id)).toBeUndefined();
  });

  test("are of accounts that want alerts and are not paused", async () => {
    const { id } = await connect();
    await accounts().setAlerts(GUILD, ANA, "off", NOON);
    expect(await due(NOON)).toEqual([]);
    await accounts().setAlerts(GUILD, ANA, "channel", NOON);
    await accounts().pause(id, NOON, noticeTo(ANA, "paused"));
    expect(await due(NOON)).toEqual([]);
    await accounts().resume(id);
    expect(await due(NOON)).toEqual([id]);
  });

  test("are taken longest due first, so many as are asked for", async () => {
    const ids: string[] = [];
    for (const index of [3, 1, 2]) ids[index] = (await connect(index)).id;
    expect(await watch().countDue(later(2))).toBe(2);
    expect(await due(later(10), 2)).toEqual([ids[1], ids[2]]);
    expect(await watch().countDue(later(10))).toBe(1);
    expect(await due(later(10), 2)).toEqual([ids[3]]);
  });

  test("are counted without those that stay due, as nobody wants them", async () => {
    const { id } = await connect();
    const row = { account_id: "unwanted", next_poll_at: storedInstant(later(-20 * MINUTE)) };
    await store().db.insertInto("dispute_poll").values(row).execute();
    expect(await watch().countDue(NOON)).toBe(1);
    expect(await due(NOON)).toEqual([id]);
  });

  test("are quiet while none awaits an answer and all are listed", async () => {
    const [calm, awaited, unlisted] = [await connect(0), await connect(1), await connect(2)];
    await watch().keep(newDispute(calm.id, { infractionId: "INF-1", status: "agreed" }), [], NOON);
    await watch().keep(newDispute(awaited.id), [], NOON);
    await watch().saveUnlisted(unlisted.id, NONE_UNLISTED, { count: 1, notified: 1 }, [], NOON);

    const taken = await watch().duePolls(later(10), 10, HOLD_MS);

    expect(new Map(taken.map(({ account, isQuiet }) => [account.id, isQuiet]))).toEqual(
      new Map([
        [calm.id, true],
        [awaited.id, false],
        [unlisted.id, false],
      ]),
    );
  });

  test("keep their place when the same key is connected again", async () => {
    const { id } = await connect();
    const [taken] = await watch().duePolls(NOON, 1, HOLD_MS);
    await watch().savePolls([
      { claimed: taken!.poll, after: { ...taken!.poll, counts, baselineAt: NOON } },
    ]);
    await connect();
    expect(await pollState(store().db, id)).toMatchObject({ counts });
    expect(await due(NOON)).toEqual([]);
  });

  test("are taken once by several workers at once", async () => {
    const ids: string[] = [];
    for (let index = 0; index < SELLERS; index += 1) ids.push((await connect(index)).id);
    const worker = async (): Promise<readonly string[]> => {
      const mine: string[] = [];
      // A claim that finds every row locked tries again, so that no poll is left over.
      for (let empty = 0; empty < 3;) {
        const some = await due(later(SELLERS), 7);
        mine.push(...some);
        if (some.length === 0) empty += 1;
      }
      return mine;
    };
    const taken = await Promise.all([worker(), worker(), worker(), worker()]);
    expect(taken.flat().sort()).toEqual(ids.sort());
  });

  test("S12: tell a rise of what is not listed once, when several processes read it at once", async () => {
    const { id } = await connect();
    const after = { count: 1, notified: 1 };
    const told = await Promise.all(
      ["new", "72h", "48h", "24h"].map((step) =>
        watch().saveUnlisted(id, NONE_UNLISTED, after, [alertTo(ANA, id, step)], NOON),
      ),
    );
    expect(told.filter(Boolean)).toHaveLength(1);
    expect(await store().db.selectFrom("outbox").select("dedupe_key").execute()).toHaveLength(1);
  });

  test("S12: keep what is counted and not listed with what is told of it, both or neither", async () => {
    const { id } = await connect();
    const alert = alertTo(ANA, id, "new");
    const state = () => outboxStore(store().db, store().open.leaseNow).state(alert.dedupeKey);
    const told = { count: 2, notified: 2 };
    const stale = { count: 1, notified: 0 };
    expect(await watch().saveUnlisted(id, stale, told, [alert], NOON)).toBe(false);
    expect([await watch().unlisted(id), await state()]).toEqual([NONE_UNLISTED, undefined]);

    await accounts().setAlerts(GUILD, ANA, "off", NOON, undefined);
    expect(await watch().saveUnlisted(id, NONE_UNLISTED, told, [alert], NOON)).toBe(false);
    expect([await watch().unlisted(id), await state()]).toEqual([NONE_UNLISTED, undefined]);

    await accounts().setAlerts(GUILD, ANA, "direct", NOON, undefined);
    expect(await watch().saveUnlisted(id, NONE_UNLISTED, told, [alert], NOON)).toBe(true);
    expect([await watch().unlisted(id), await state()]).toEqual([told, "due"]);
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect(await watch().unlisted(id)).toEqual(NONE_UNLISTED);
  });
});
