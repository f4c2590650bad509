import { describe, expect, test } from "vitest";
import { alertKey } from "#src/disputes/dispute-alert.ts";
import { MINUTE, SECOND } from "#src/shared/time.ts";
import { oneDatabase } from "../support/databases.ts";
import { type DisputeStage, NIGHT, TITLE, useDisputeStage } from "./dispute-stage.ts";
import { ANA, CHANNEL, GUILD } from "../database/builders.ts";
import { directChannel } from "../support/fake-channels.ts";
import { OTHER_CHANNEL } from "./dispute-builders.ts";

describe.each(oneDatabase)(
  "an alert whose dispute is read again before its post, on $name",
  (kind) => {
    const open = useDisputeStage(kind);
    /** A reminder is in the outbox, not yet posted. */
    const owed = async (): Promise<DisputeStage> => {
      const stage = await open();
      stage.service.add("i1", 25);
      await stage.pass({ minutes: 6 });
      stage.skip({ hours: 1 });
      await stage.remind();
      return stage;
    };
    const stateOf = async (stage: DisputeStage) =>
      stage.stores.outbox.state(alertKey(await stage.watched("i1"), "24h"));

    test("is not posted when it was answered meanwhile, which is told instead", async () => {
      const stage = await owed();
      stage.service.change("i1", { status: "disagreed" });
      await stage.deliver();
      expect(await stateOf(stage)).toBe("obsolete");
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new, TITLE.answered]);
    });

    test.each([
      [undefined, false],
      ["timeout", true],
      ["unauthorized", true],
      ["not_found", true],
    ] as const)("is posted and says by which reading it speaks (%s)", async (failure, isSaid) => {
      const stage = await owed();
      stage.service.failing = () => failure;
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
      const text = stage.channels.inChannel(directChannel(ANA)).at(-1)?.text ?? "";
      expect(text).toContain("Ainda sem resposta");
      expect(text.includes("isto é o que vi por último")).toBe(isSaid);
    });

    test("waits for a turn to be read when its account's quota is used up", async () => {
      const stage = await owed();
      stage.service.failing = () => "rate_limited";
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new]);
      stage.service.change("i1", { status: "disagreed" });
      stage.service.failing = () => undefined;
      stage.skip({ seconds: 15 });
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new, TITLE.answered]);
    });

    test("is posted unread when there is no turn for minutes", async () => {
      const stage = await owed();
      stage.service.failing = () => "rate_limited";
      for (let turn = 0; turn < 8; turn++) {
        await stage.deliver();
        expect(stage.told()).toEqual([TITLE.new]);
        stage.skip({ seconds: 15 });
      }
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
    });

    test("is not posted unread when what was read last speaks against it", async () => {
      const stage = await owed();
      stage.skip({ hours: 18, minutes: 30 });
      stage.service.failing = () => "timeout";
      await stage.deliver();
      expect(await stateOf(stage)).toBe("obsolete");
      await stage.remind();
      await stage.deliver();
      expect(stage.told()).toEqual([TITLE.new, TITLE["6h"]]);
    });

    test("is posted once when whoever reads it is overtaken by another process", async () => {
      const stage = await owed();
      const other = stage.process();
      let reads = 0;
      stage.service.onRead = async () => {
        reads++;
        if (reads > 1) return;
        stage.skip({ minutes: 3 });
        await other.deliver();
      };
      await stage.deliver();
      stage.skip({ minutes: 10 });
      await Promise.all([stage.deliver(), other.deliver()]);
      expect(stage.told()).toEqual([TITLE.new, TITLE["24h"]]);
    });
  },
);

describe.each(oneDatabase)(
  "an alert to a channel that is taken back on its way, on $name",
  (kind) => {
    const open = useDisputeStage(kind);
    const owedToChannel = async (start?: string): Promise<DisputeStage> => {
      const stage = await open(start);
      await stage.routeToChannel();
      stage.service.add("i1", 100);
      await stage.poll();
      return stage;
    };
    const whileRead = ({ service }: DisputeStage, act: () => Promise<void>): void => {
      service.onRead = async () => {
        service.onRead = async () => {};
        await act();
      };
    };

    test("goes to its owner, who chose direct messages while it was read", async () => {
      const stage = await owedToChannel();
      whileRead(stage, () => stage.alerts("direct"));
      await stage.deliver();
      expect(stage.told(CHANNEL)).toEqual([]);
      expect(stage.told()).toEqual([TITLE.new]);
    });

    test("goes to its owner once the admin has switched the channel off, and pings nobody there", async () => {
      const stage = await open();
      const ping = { roleId: "940000000000000001", pingSteps: ["new"] as const };
      await stage.routeToChannel(ping);
      stage.service.add("i1", 100);
      await stage.poll();
      whileRead(stage, () => stage.route({ ...ping, active: false }));
      await stage.deliver();
      expect(stage.told(CHANNEL)).toEqual([]);
      expect(stage.told()).toEqual([TITLE.new]);
      const row = await stage.db.selectFrom("outbox").select("payload").executeTakeFirstOrThrow();
      expect(row.payload).not.toContain("<@&");
    });

    test("waits for the morning in the channel that was chosen instead", async () => {
      const stage = await owedToChannel("2026-11-20T00:59Z");
      whileRead(stage, async () => {
        await stage.route({ channelId: OTHER_CHANNEL, quiet: NIGHT });
        stage.skip({ minutes: 2 });
      });
      await stage.deliver();
      expect(stage.channels.messages).toEqual([]);
      await stage.pass({ hours: 10 }, { hours: 1 });
      expect(stage.told(CHANNEL)).toEqual([]);
      expect(stage.told(OTHER_CHANNEL)).toEqual([TITLE.new]);
    });
  },
);

describe.each(oneDatabase)("an alert whose account goes, on $name", (kind) => {
  const open = useDisputeStage(kind);

  test("is not kept as its repeat, when the history was searched meanwhile", async () => {
    const stage = await open();
    stage.service.add("i1", 80);
    await stage.poll();
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "reset" }, made: false });
    await stage.deliver();
    stage.channels.mishap = undefined;
    stage.skip({ minutes: 3 });
    Object.assign(stage.channels, {
      findPosted: async () => {
        await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
        return { kind: "unreadable", lasting: true };
      },
    });
    await stage.deliver();
    expect(await stage.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
    expect(stage.channels.messages).toEqual([]);
  });
});

describe.each(oneDatabase)("an alert that was claimed before, on $name", (kind) => {
  const open = useDisputeStage(kind);
  const claimedByTheDead = async (
    { stores, clock }: DisputeStage,
    leaseMs = MINUTE,
  ): Promise<void> => {
    const claim = { owner: "dead", leaseMs, limit: 10, now: clock.now() };
    expect(await stores.outbox.claim(claim)).toHaveLength(1);
  };

  test("is read again when a process died over it before it asked", async () => {
    const stage = await open();
    stage.service.add("i1", 80);
    await stage.poll();
    await claimedByTheDead(stage);
    stage.service.change("i1", { status: "disagreed" });
    stage.skip({ seconds: 61 });
    await stage.deliver();
    await stage.deliver();
    expect(stage.told()).toEqual([TITLE.answered]);
  });

  test("is done when the history shows it, whatever has become of its dispute", async () => {
    const stage = await open();
    stage.service.add("i1", 80);
    await stage.poll();
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "reset" }, made: true });
    await stage.deliver();
    stage.channels.mishap = undefined;
    stage.service.change("i1", { status: "disagreed" });
    stage.skip({ seconds: 30 });
    await stage.deliver();
    const states = await stage.db.selectFrom("outbox").select("state").orderBy("state").execute();
    expect(states.map(({ state }) => state)).toEqual(["sent", "sent"]);
    expect(stage.told()).toEqual([TITLE.new, TITLE.answered]);
  });

  test("waits for the morning when the quiet hours began meanwhile", async () => {
    const stage = await open("2026-11-20T00:58Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 80);
    await stage.poll();
    await claimedByTheDead(stage);
    stage.skip({ minutes: 3 });
    await stage.deliver();
    expect(stage.told()).toEqual([]);
    await stage.pass({ hours: 8, minutes: 50 }, { minutes: 53 });
    expect(stage.told()).toEqual([]);
    await stage.pass({ minutes: 20 }, { minutes: 10 });
    expect(stage.told()).toContain(TITLE.new);
  });

  test("is repeated until Discord is back where its history is closed to the bot", async () => {
    const stage = await open();
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "away" }, made: false });
    stage.service.add("i1", 80);
    await stage.pass({ minutes: 30 });
    expect(stage.told()).toEqual([]);
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 15 });
    expect(stage.told()).toEqual([`${TITLE.new} (reenvio)`]);
  });

  test("of one that was overdue when it came leaves it to be announced once its deadline has moved", async () => {
    const stage = await open();
    stage.service.add("i1", -1);
    await stage.poll();
    await claimedByTheDead(stage);
    stage.service.change("i1", { dueAt: stage.clock.now().add({ hours: 60 }) });
    stage.skip({ seconds: 61 });
    await stage.deliver();
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toEqual([TITLE.new]);
  });

  test("of one that was overdue when it came has its answer told once", async () => {
    const stage = await open();
    stage.service.add("i1", -1);
    await stage.poll();
    await claimedByTheDead(stage, 7 * MINUTE);
    stage.service.change("i1", { status: "disagreed" });
    await stage.pass({ minutes: 6 });
    expect(stage.told()).toEqual([TITLE.answered]);
    stage.service.add("i2", 80);
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toEqual([TITLE.answered, TITLE.new]);
  });

  test("and whose repeat was taken back too is told when the word fails", async () => {
    const stage = await open();
    stage.channels.searchMishap = () => ({ kind: "unreadable", lasting: true });
    stage.channels.mishap = () => ({ outcome: { kind: "unclear", reason: "away" }, made: false });
    stage.service.add("i1", 10);
    await stage.pass({ minutes: 2 });
    await stage.wish("mute");
    stage.channels.mishap = undefined;
    await stage.pass({ hours: 3, minutes: 40 }, { minutes: 20 });
    expect(stage.told()).toEqual([]);
    await stage.pass({ minutes: 40 }, { minutes: 5 });
    expect(stage.told()).toEqual([`${TITLE.new} (reenvio)`]);
  });
});

describe.each(oneDatabase)("a first alert that is late, on $name", (kind) => {
  const open = useDisputeStage(kind);

  test("names the time that is left when it is posted", async () => {
    const stage = await open();
    await stage.pass({ minutes: 6 });
    stage.service.add("i1", 12);
    stage.channels.openMishap = () => ({ kind: "throttled", retryAfterMs: 15 * SECOND });
    await stage.pass({ minutes: 210 }, { minutes: 15 });
    stage.channels.openMishap = undefined;
    await stage.pass({ minutes: 15 });
    expect(stage.channels.messages[0]?.text).toContain(": 8 horas para responder");
  });
});

describe.each(oneDatabase)("a deadline that moves, on $name", (kind) => {
  const open = useDisputeStage(kind);
  const move = (stage: DisputeStage, hours: number): void => {
    const dueAt = stage.clock.now().add({ minutes: hours * 60 });
    stage.service.change("i1", { dueAt });
  };

  test("later has its reminders told again, each when its time comes", async () => {
    const stage = await open();
    stage.service.add("i1", 50);
    await stage.pass({ minutes: 6 });
    await stage.pass({ hours: 27 }, { hours: 1 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["48h"], TITLE["24h"]]);
    move(stage, 60);
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toHaveLength(3);
    await stage.pass({ hours: 61 }, { hours: 1 });
    expect(stage.told().slice(3)).toEqual([
      TITLE["48h"],
      TITLE["24h"],
      TITLE["6h"],
      TITLE["1h"],
      TITLE.overdue,
    ]);
  });

  test("later than one that was overdue is told of anew", async () => {
    const stage = await open();
    stage.service.add("i1", 1.5);
    await stage.pass({ hours: 2 }, { minutes: 15 });
    expect(stage.told()).toEqual([TITLE.new, TITLE["1h"], TITLE.overdue]);
    move(stage, 2);
    await stage.pass({ hours: 3 }, { minutes: 15 });
    expect(stage.told().slice(3)).toEqual([TITLE["1h"], TITLE.overdue]);
  });

  test("while the first alert waits has that told of the new one, once", async () => {
    const stage = await open("2026-11-20T09:00Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("i1", 150);
    await stage.pass({ minutes: 6 });
    move(stage, 250);
    const due = stage.service.there.get("i1")!.dueAt.epochMilliseconds / 1_000;
    await stage.pass({ hours: 2 }, { minutes: 15 });
    expect(stage.told()).toEqual([TITLE.new]);
    expect(stage.channels.messages[0]?.text).toContain(`<t:${due}:d> <t:${due}:t>`);
  });
});
