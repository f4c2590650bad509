import { describe, expect, test } from "vitest";
import { replacedBodies } from "#src/bot-jobs.ts";
import type { DeliveryPayload, EditPost, UnopenedChannel } from "#src/delivery/delivery.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { createReplacePosts } from "#src/delivery/replaced-posts.job.ts";
import { alertKey } from "#src/disputes/dispute-alert.ts";
import { ANA, CHANNEL, GUILD } from "../database/builders.ts";
import { databases, oneDatabase, quietLog, waitingStatements } from "../support/databases.ts";
import { directChannel } from "../support/fake-channels.ts";
import { type DisputeStage, useDisputeStage } from "./dispute-stage.ts";

interface Edit {
  readonly channelId: string;
  readonly messageId: string;
  readonly body: DeliveryPayload;
}

/** The job with its edits recorded; the answer of Discord can be set. */
const watchEdits = (stage: DisputeStage) => {
  const edits: Edit[] = [];
  let answer: Awaited<ReturnType<EditPost>> = "edited";
  let openMishap: UnopenedChannel | undefined;
  const run = createReplacePosts({
    clock: stage.clock,
    log: quietLog,
    posts: stage.stores.replacedPosts,
    bodyOf: replacedBodies(stage.stores),
    edit: async (channelId, messageId, body) => {
      edits.push({ channelId, messageId, body });
      return answer;
    },
    openDirectMessage: async (userId) => openMishap ?? { channelId: directChannel(userId) },
  });
  return {
    edits,
    run: () => run(new AbortController().signal),
    answers: (given: typeof answer) => {
      answer = given;
    },
    opensWith: (given: UnopenedChannel | undefined) => {
      openMishap = given;
    },
  };
};

const texts = (edits: readonly Edit[]) =>
  edits.map(({ messageId, body }) => [messageId, body.content] as const);
const BELOW = "Substituído: este MED continua abaixo.";
const ELSEWHERE = "Substituído: o alerta mais novo deste MED está em outro canal.";

describe.each(databases)("a posted alert on $name", (kind) => {
  const open = useDisputeStage(kind);
  const reminded = async (): Promise<DisputeStage> => {
    const stage = await open();
    stage.service.add("i1", 25);
    stage.service.add("i2", 25);
    await stage.pass({ minutes: 6 });
    return stage;
  };

  /** Claims an alert whose process died between the post and the record of it, and a later one of its dispute. */
  const claimBoth = async ({ db, clock, stores, accountId, watched, skip }: DisputeStage) => {
    const dispute = await watched("i1");
    const key = alertKey(dispute, "new");
    await db
      .updateTable("outbox")
      .set({ state: "sending", settled_at: null, lease_until: clock.now().toString() })
      .where("dedupe_key", "=", key)
      .execute();
    await stores.outbox.enqueue(
      {
        dedupeKey: "later",
        kind: "dispute_alert",
        target: { kind: "person", userId: ANA },
        guildId: GUILD,
        accountId,
        payload: {},
        notBefore: clock.now(),
        alert: { ...dispute, step: "answered", dueAt: undefined },
      },
      clock.now(),
    );
    skip({ minutes: 5 });
    const request = { owner: "other", leaseMs: 1, limit: 9, now: clock.now() };
    const claims = await stores.outbox.claim(request);
    const claimOf = (wanted: string) => claims.find(({ dedupeKey }) => dedupeKey === wanted)!;
    return { first: claimOf(key), later: claimOf("later") };
  };

  test("is the older one when it is settled after a newer one", async () => {
    const stage = await reminded();
    const { edits, run } = watchEdits(stage);
    const { first, later } = await claimBoth(stage);
    await stage.stores.outbox.settle(later, { state: "sent", messageId: "m8" });
    await stage.stores.outbox.settle(first, { state: "sent", messageId: "m9" });
    await run();
    expect(texts(edits)).toEqual([["m9", BELOW]]);
  });

  // SQLite has one transaction.
  test.runIf(kind.name === "PostgreSQL")(
    "is the older one when both are settled at the same time",
    async () => {
      const stage = await reminded();
      const { db, clock } = stage;
      const { edits, run } = watchEdits(stage);
      const { first, later } = await claimBoth(stage);
      const [settled, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = outboxStore(
        db,
        async () => clock.now(),
        (work) =>
          db.transaction().execute(async (trx) => {
            const result = await work(trx);
            settled.resolve();
            await ended.promise;
            return result;
          }),
      );
      const older = slow.settle(first, { state: "sent", messageId: "m8" });
      await settled.promise;
      const other = { isOver: false };
      const newer = stage.stores.outbox
        .settle(later, { state: "sent", messageId: "m9" })
        .finally(() => (other.isOver = true));
      while (!other.isOver && (await waitingStatements(db)) < 1);
      ended.resolve();
      expect(await Promise.all([older, newer])).toEqual([true, true]);
      await run();
      expect(texts(edits)).toEqual([["m8", BELOW]]);
    },
  );

  // *.store.test.ts tests the other statements on both databases.
  if (kind !== databases[0]) return;

  test("stays as it is while no newer one of its dispute was posted", async () => {
    const stage = await reminded();
    const { edits, run } = watchEdits(stage);
    await run();
    expect(edits).toEqual([]);
  });

  test("is edited once when the next one was posted, without its buttons, and each newest stays", async () => {
    const stage = await reminded();
    const { edits, run } = watchEdits(stage);
    const before = stage.channels.inChannel(directChannel(ANA)).map(({ id }) => id);
    await stage.pass({ hours: 2 }, { minutes: 30 });
    await run();
    expect(new Map(texts(edits))).toEqual(new Map(before.map((id) => [id, BELOW])));
    expect(edits).toHaveLength(2);
    expect(edits.map(({ channelId }) => channelId)).toEqual([
      directChannel(ANA),
      directChannel(ANA),
    ]);
    const [first] = edits;
    expect(first?.body.components).toBeUndefined();
    expect(first?.body.embeds?.[0]?.title).toContain("Novo MED de");
    expect(first?.body.embeds?.[0]?.footer?.text).toContain("ref ");
    await run();
    expect(edits).toHaveLength(2);
    await stage.pass({ hours: 18 }, { hours: 2 });
    await run();
    expect(edits).toHaveLength(4);
  });

  test.each([
    ["m8", null],
    [null, "m9"],
  ])(
    "whose message was deleted neither is replaced nor replaces another (%s, %s)",
    async (...ids) => {
      const stage = await reminded();
      const { edits, run } = watchEdits(stage);
      const { first, later } = await claimBoth(stage);
      await stage.stores.outbox.settle(first, { state: "sent", messageId: ids[0] });
      await stage.stores.outbox.settle(later, { state: "sent", messageId: ids[1] });
      await run();
      expect(edits).toEqual([]);
    },
  );

  test("is replaced by the newest one that was posted, not by one that still waits elsewhere", async () => {
    const stage = await reminded();
    const { edits, run } = watchEdits(stage);
    const { first, later } = await claimBoth(stage);
    stage.skip({ minutes: 1 });
    const target = { kind: "channel", channelId: CHANNEL } as const;
    const owed = { ...later, dedupeKey: "owed", target, notBefore: stage.clock.now() };
    await stage.stores.outbox.enqueue(owed, stage.clock.now());
    await stage.stores.outbox.settle(first, { state: "sent", messageId: "m8" });
    await stage.stores.outbox.settle(later, { state: "sent", messageId: "m9" });
    await run();
    expect(texts(edits)).toEqual([["m8", BELOW]]);
  });

  test("is the older one though a clock that was ahead has dated it later", async () => {
    const stage = await reminded();
    const { edits, run } = watchEdits(stage);
    stage.skip({ hours: -3 });
    const { first, later } = await claimBoth(stage);
    await stage.stores.outbox.settle(first, { state: "sent", messageId: "m8" });
    await stage.stores.outbox.settle(later, { state: "sent", messageId: "m9" });
    await run();
    expect(texts(edits)).toEqual([["m8", BELOW]]);
  });

  test("is edited where it was posted when its owner chose direct messages meanwhile", async () => {
    const stage = await open();
    await stage.routeToChannel();
    stage.service.add("i1", 25);
    const { post } = stage.channels;
    stage.channels.post = async (...call) => {
      const outcome = await post(...call);
      await stage.alerts("direct");
      return outcome;
    };
    await stage.pass({ minutes: 6 });
    expect(stage.told(CHANNEL)).toHaveLength(1);
    await stage.pass({ hours: 2 }, { minutes: 30 });
    const { edits, run } = watchEdits(stage);
    await run();
    expect(edits.map(({ channelId, body }) => [channelId, body.content])).toEqual([
      [CHANNEL, ELSEWHERE],
    ]);
  });
});

describe.each(oneDatabase)("a replaced alert on $name", (kind) => {
  const open = useDisputeStage(kind);
  const replaced = async (): Promise<DisputeStage> => {
    const stage = await open();
    stage.service.add("i1", 25);
    await stage.pass({ minutes: 6 });
    await stage.pass({ hours: 2 }, { minutes: 30 });
    return stage;
  };

  test("whose message is gone or closed to the bot is left", async () => {
    const stage = await replaced();
    const { edits, run, answers } = watchEdits(stage);
    answers("gone");
    await run();
    stage.skip({ hours: 1 });
    await run();
    expect(edits).toHaveLength(1);
  });

  test("is tried again later and later while Discord gives no answer, ten times at most", async () => {
    const stage = await replaced();
    const { edits, run, answers } = watchEdits(stage);
    answers("later");
    await run();
    await run();
    expect(edits).toHaveLength(1);
    stage.skip({ minutes: 1 });
    await run();
    expect(edits).toHaveLength(2);
    stage.skip({ minutes: 1 });
    await run();
    expect(edits).toHaveLength(2);
    for (let round = 0; round < 20; round++) {
      stage.skip({ hours: 24 });
      await run();
    }
    expect(edits).toHaveLength(10);
  });

  test("is edited after its person's channel could be opened again, and left when it never can be", async () => {
    const stage = await replaced();
    const { edits, run, opensWith } = watchEdits(stage);
    opensWith({ kind: "throttled", retryAfterMs: 1_000 });
    await run();
    opensWith(undefined);
    stage.skip({ minutes: 1 });
    await run();
    expect(edits).toHaveLength(1);
    await stage.pass({ hours: 18 }, { hours: 2 });
    opensWith({ kind: "unreachable_person", code: 50_007 });
    await run();
    opensWith(undefined);
    stage.skip({ hours: 1 });
    await run();
    expect(edits).toHaveLength(1);
  });

  test("says where the newer one is when its owner has chosen another place since", async () => {
    const stage = await open();
    stage.service.add("i1", 25);
    await stage.pass({ minutes: 6 });
    await stage.routeToChannel();
    await stage.pass({ hours: 2 }, { minutes: 30 });
    expect(stage.told(CHANNEL)).toHaveLength(1);
    const { edits, run } = watchEdits(stage);
    await run();
    expect(edits.map(({ body }) => body.content)).toEqual([ELSEWHERE]);
  });

  test("is left alone after its account was disconnected, which erases its text", async () => {
    const stage = await replaced();
    await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
    const { edits, run } = watchEdits(stage);
    await run();
    expect(edits).toEqual([]);
  });
});
