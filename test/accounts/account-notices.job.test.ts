import { describe, expect, test } from "vitest";
import { createKeyTries, pauseRefusedKey } from "#src/accounts/account-notices.job.ts";
import { Secret } from "#src/shared/secret.ts";
import { ANA, BRUNO, GUILD, savedAccount } from "../database/builders.ts";
import { type DisputeStage, TITLE, useDisputeStage } from "../disputes/dispute-stage.ts";
import { databases, oneDatabase, quietLog } from "../support/databases.ts";
import { directChannel } from "../support/fake-channels.ts";

const KEY = "sk_sandbox_ana_0123";
const ELSEWHERE = "1180000000000000022";
const REFUSED = "O serviço recusou a sua chave";
const ACCEPTED = "O serviço voltou a aceitar a sua chave";
const { signal } = new AbortController();

/** A process with the tries and memory of its own. */
const triesOf = ({ clock, stores, service }: DisputeStage): (() => Promise<void>) => {
  const needs = { clock, log: quietLog, onOwed: () => {}, routes: stores.routes };
  const run = createKeyTries({ ...needs, accounts: stores.accounts, wallet: service.wallet });
  return () => run(signal);
};

const connect = async (
  { stores, clock }: DisputeStage,
  ownerId: string,
  guildId = GUILD,
  apiKey = ownerId === ANA ? KEY : `sk_sandbox_${ownerId}`,
) => {
  const account = savedAccount({ ownerId, guildId, connectedAt: clock.now() });
  return await stores.accounts.save(account, new Secret(apiKey), ownerId);
};

/** Runs all work of each minute. */
const pass = async (
  stage: DisputeStage,
  minutes: number,
  tries: readonly (() => Promise<void>)[],
): Promise<void> => {
  for (let minute = 0; minute < minutes; minute++) {
    stage.skip({ minutes: 1 });
    await Promise.all(tries.map((run) => run()));
    await Promise.all([stage.poll(), stage.remind()]);
    await stage.deliver();
  }
};

const isPaused = async ({ stores }: DisputeStage, ownerId = ANA): Promise<boolean> =>
  (await stores.accounts.find(GUILD, ownerId))?.pausedAt !== undefined;

describe.each(oneDatabase)("refused keys on $name", (kind) => {
  const open = useDisputeStage(kind);

  test("work again by themselves after the service refused everybody for two hours, and each MED is alerted", async () => {
    const stage = await open();
    const owners = [ANA, BRUNO, "1180000000000000019"];
    for (const ownerId of owners) await connect(stage, ownerId);
    const tries = [triesOf(stage)];
    await pass(stage, 6, tries);
    stage.service.failing = () => "unauthorized";
    await pass(stage, 10, tries);
    for (const ownerId of owners) expect(await isPaused(stage, ownerId)).toBe(true);
    stage.service.add("i1", 23.5);
    await pass(stage, 110, tries);
    stage.service.failing = () => undefined;
    await pass(stage, 85, tries);
    for (const ownerId of owners) {
      expect(await isPaused(stage, ownerId)).toBe(false);
      const told = stage.told(directChannel(ownerId));
      expect(told.toSorted()).toEqual([REFUSED, ACCEPTED, TITLE.new].toSorted());
    }
  });
});

describe.each(databases)("a key on $name", (kind) => {
  const open = useDisputeStage(kind);

  test("that is refused in two servers is tried once, and told once", async () => {
    const stage = await open();
    await connect(stage, ANA, ELSEWHERE);
    const tries = [triesOf(stage)];
    stage.service.failing = () => "unauthorized";
    await pass(stage, 6, tries);
    stage.service.failing = () => undefined;
    stage.service.reads.length = 0;
    for (let minute = 0; minute < 60; minute++) {
      stage.skip({ minutes: 1 });
      await tries[0]?.();
    }
    expect(stage.service.reads).toEqual(["summary"]);
    await pass(stage, 25, tries);
    expect(stage.told()).toEqual([REFUSED, ACCEPTED]);
    const all = await stage.stores.accounts.ofOwner(ANA);
    expect(all.map(({ pausedAt }) => pausedAt)).toEqual([undefined, undefined]);
  });

  test("that two processes try is told once", async () => {
    const stage = await open();
    const tries = [triesOf(stage), triesOf(stage)];
    stage.service.failing = () => "unauthorized";
    await pass(stage, 6, tries);
    stage.service.failing = () => undefined;
    await pass(stage, 85, tries);
    expect(stage.told()).toEqual([REFUSED, ACCEPTED]);
  });
});

describe.each(oneDatabase)("a refused key on $name", (kind) => {
  const open = useDisputeStage(kind);

  const refused = async (stage: DisputeStage) => {
    const tries = triesOf(stage);
    stage.service.failing = () => "unauthorized";
    while (!(await isPaused(stage))) await pass(stage, 1, []);
    stage.service.reads.length = 0;
    await tries();
    return tries;
  };

  test("is tried 24 times in the first day and 29 times in the month after it, and its owner hears no more", async () => {
    const stage = await open();
    const tries = await refused(stage);
    const run = async (minutes: number): Promise<number> => {
      for (let left = minutes; left > 0; left -= 5) {
        stage.skip({ minutes: Math.min(left, 5) });
        await tries();
      }
      return stage.service.reads.length;
    };
    expect(await run(24 * 60 - 1)).toBe(24);
    expect(await run(32 * 24 * 60)).toBe(24 + 29);
    await stage.deliver();
    expect(stage.told()).toEqual([REFUSED]);
  });

  test("is tried in minutes of its own, so that many refused at once are not tried at once", async () => {
    const stage = await open();
    const owners = Array.from({ length: 40 }, (_, index) => `11800000000000001${index + 10}`);
    const tries = triesOf(stage);
    const needs = { ...stage.stores, clock: stage.clock, log: quietLog, onOwed: () => {} };
    for (const ownerId of owners)
      await pauseRefusedKey(needs, await connect(stage, ownerId), "pt-BR");
    const most: number[] = [];
    for (let minute = 0; minute < 60; minute++) {
      const before = stage.service.reads.length;
      stage.skip({ minutes: 1 });
      await tries();
      most.push(stage.service.reads.length - before);
    }
    expect(stage.service.reads).toHaveLength(owners.length);
    expect(Math.max(...most)).toBeLessThan(10);
  });

  test("is tried within a week by a process that is away at the same hours of each day", async () => {
    const stage = await open();
    const owners = Array.from({ length: 12 }, (_, index) => `11800000000000001${index + 10}`);
    const needs = { ...stage.stores, clock: stage.clock, log: quietLog, onOwed: () => {} };
    for (const ownerId of owners)
      await pauseRefusedKey(needs, await connect(stage, ownerId), "pt-BR");
    stage.skip({ hours: 30 });
    for (let day = 0; day < 7; day++) {
      const tries = triesOf(stage);
      for (let minute = 0; minute < 12 * 60; minute += 5) {
        stage.skip({ minutes: 5 });
        await tries();
      }
      stage.skip({ hours: 12 });
    }
    for (const ownerId of owners) expect(await isPaused(stage, ownerId)).toBe(false);
  });

  test("stays paused while the service does not answer", async () => {
    const stage = await open();
    const tries = await refused(stage);
    stage.service.failing = () => "unavailable";
    await pass(stage, 70, [tries]);
    expect(await isPaused(stage)).toBe(true);
  });

  test("of an owner who left the server is not tried", async () => {
    const stage = await open();
    const tries = await refused(stage);
    await stage.chosen.presences.keep(GUILD, ANA, "left", stage.clock.now(), undefined);
    // The key's own minute may be that of the refusal.
    stage.service.reads.length = 0;
    await pass(stage, 70, [tries]);
    expect(stage.service.reads).toEqual([]);
  });

  test("that is accepted and soon refused again is told no more", async () => {
    const stage = await open();
    const tries = await refused(stage);
    stage.service.failing = (what) => (what === "list" ? "unauthorized" : undefined);
    await pass(stage, 300, [tries]);
    while (!(await isPaused(stage))) await pass(stage, 1, []);
    const { reads } = stage.service;
    expect(reads.filter((what) => what === "list").length).toBeGreaterThan(3);
    expect(stage.told()).toEqual([REFUSED]);
  });

  test.each([KEY, "sk_sandbox_ana_4567"])(
    "is told again for %s, which its owner connected after it was accepted",
    async (apiKey) => {
      const stage = await open();
      const tries = await refused(stage);
      stage.service.failing = () => undefined;
      while (await isPaused(stage)) await pass(stage, 1, [tries]);
      const account = savedAccount({ ownerId: ANA, connectedAt: stage.clock.now() });
      await stage.stores.accounts.save(account, new Secret(apiKey), ANA);
      stage.service.failing = () => "unauthorized";
      await pass(stage, 30, [tries]);
      expect(stage.told()).toEqual([REFUSED, REFUSED]);
    },
  );

  test.each([undefined, `${KEY}4567`])(
    "is told as accepted by the other connection where that of the message has %s instead",
    async (apiKey) => {
      const stage = await open();
      await connect(stage, ANA, ELSEWHERE);
      const tries = await refused(stage);
      stage.service.failing = () => undefined;
      while (await isPaused(stage)) await pass(stage, 1, [tries]);
      const waiting = stage.db.selectFrom("outbox").where("settled_at", "is", null);
      const { guild_id: guildId } = await waiting.select("guild_id").executeTakeFirstOrThrow();
      if (apiKey === undefined)
        await stage.stores.accounts.remove(guildId ?? "", ANA, ANA, stage.clock.now());
      else await connect(stage, ANA, guildId ?? "", apiKey);
      await pass(stage, 25, [tries]);
      expect(stage.told()).toEqual([REFUSED, ACCEPTED]);
      const left = guildId === GUILD ? ELSEWHERE : GUILD;
      expect(stage.channels.inChannel(directChannel(ANA)).at(-1)?.text).toContain(left);
    },
  );

  test("is told as accepted where the message of its refusal may have been sent", async () => {
    const stage = await open();
    stage.hold(undefined, { kind: "unclear", reason: "no answer" });
    const tries = await refused(stage);
    stage.service.failing = () => undefined;
    while (await isPaused(stage)) {
      stage.skip({ minutes: 1 });
      await tries();
    }
    stage.channels.mishap = () => undefined;
    await pass(stage, 25, [tries]);
    expect(stage.told()).toEqual([ACCEPTED]);
  });

  test("is not told as accepted where the message of its refusal was not sent", async () => {
    const stage = await open();
    stage.hold();
    const tries = await refused(stage);
    stage.service.failing = () => undefined;
    await pass(stage, 70, [tries]);
    expect(await isPaused(stage)).toBe(false);
    stage.channels.mishap = () => undefined;
    await pass(stage, 20, [tries]);
    expect(stage.told()).toEqual([]);
  });
});
