import { describe, expect, test } from "vitest";
import { storedInstant } from "#src/database/columns.ts";
import { DAY } from "#src/shared/time.ts";
import { identifyBudget, interactionsStore } from "#src/discord/gateway-records.store.ts";
import { createIdentifyLimiter } from "#src/discord/identify-limiter.ts";
import { databases, quietLog, standingClock } from "../support/databases.ts";
import { later, NOON } from "../database/builders.ts";
import { useStore } from "../database/use-store.ts";

describe.each(databases)("records of the gateway on $name", (kind) => {
  const store = useStore(kind);

  test("let an interaction be claimed once, however many ask", async () => {
    const { claimInteraction } = interactionsStore(store().db);
    const asked = Array.from({ length: 12 }, (_, index) => claimInteraction("1", later(index)));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    expect(await claimInteraction("2", NOON)).toBe(true);
  });

  test("forget old interactions and keep new ones", async () => {
    const { claimInteraction, purgeInteractions } = interactionsStore(store().db);
    await claimInteraction("old", NOON);
    await claimInteraction("new", later(1));
    await purgeInteractions(later(1));
    expect(await claimInteraction("new", later(2))).toBe(false);
    expect(await claimInteraction("old", later(2))).toBe(true);
  });

  test("of a busy day are deleted with turns of the event loop between", async () => {
    const { db } = store();
    const [old, count] = [storedInstant(NOON), 1_001];
    const rows = Array.from({ length: count }, (_, index) => ({ id: `i${index}`, at: old }));
    await db.insertInto("interaction_seen").values(rows).execute();
    let [turns, isDone] = [0, false];
    const countTurns = (): void => {
      turns++;
      if (!isDone) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    await interactionsStore(db).purgeInteractions(later(1));
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(Math.floor(count / 200));
    expect(await db.selectFrom("interaction_seen").selectAll().execute()).toEqual([]);
  });

  test("of a busy day stay from the moment on at which the bot stops", async () => {
    const { db } = store();
    const rows = Array.from({ length: 401 }, (_, index) => ({
      id: `i${index}`,
      at: storedInstant(NOON),
    }));
    await db.insertInto("interaction_seen").values(rows).execute();
    const stopping = new AbortController();
    const stopsAtAnswer = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        stopping.abort();
        return result;
      },
    });
    await interactionsStore(stopsAtAnswer).purgeInteractions(later(1), stopping.signal);
    expect(await db.selectFrom("interaction_seen").selectAll().execute()).toHaveLength(201);
  });

  test("count the gateway sessions begun since an instant", async () => {
    const { recordStart, startsSince } = identifyBudget(store().db);
    expect(await startsSince(NOON, later(3 * DAY), [0])).toBe(0);
    for (const at of [0, 0, 5, 10]) await recordStart(0, later(at));
    expect(await startsSince(NOON, later(3 * DAY), [0])).toBe(4);
    expect(await startsSince(later(5), later(3 * DAY), [0])).toBe(2);
    expect(await startsSince(later(11), later(3 * DAY), [0])).toBe(0);
  });

  test("that a clock ahead dated hold no shard back once it is right", async () => {
    const budget = identifyBudget(store().db);
    for (let start = 0; start < 10; start++) await budget.recordStart(0, later(DAY + start));
    const waits: number[] = [];
    const limits = { total: 1_000, remaining: 1_000, reset_after: 0, max_concurrency: 1 };
    const limiter = createIdentifyLimiter({
      api: { json: async () => ({}) },
      identifyBudget: budget,
      information: { url: "wss://gateway.test", shards: 1, session_start_limit: limits },
      shardCount: 1,
      ownShards: [0],
      clock: standingClock(NOON.toString()),
      log: quietLog,
      wait: async (ms) => void waits.push(ms),
    });

    await limiter.budget(0, new AbortController().signal);

    expect(waits).toEqual([]);
  });

  test("forget gateway sessions that no budget counts any more", async () => {
    const { recordStart, startsSince } = identifyBudget(store().db);
    await recordStart(0, NOON);
    await recordStart(1, later(2 * DAY + 1));
    expect(await startsSince(NOON, later(3 * DAY), [0, 1])).toBe(1);
  });

  test("count the sessions of some shards, whichever processes the others belong to", async () => {
    const { recordStart, startsSince } = identifyBudget(store().db);
    for (const shard of [0, 1, 2, 3, 3]) await recordStart(shard, NOON);
    expect(await startsSince(NOON, later(3 * DAY), [0])).toBe(1);
    expect(await startsSince(NOON, later(3 * DAY), [2, 3])).toBe(3);
  });
});
