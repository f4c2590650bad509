import { describe, expect, it, onTestFinished } from "vitest";
import { dailyReportKey } from "#src/reports/report-schedule.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { databases } from "../support/databases.ts";
import {
  ADMIN,
  CHANNEL,
  GUILD,
  openStage,
  sold,
  soldDay,
  stageWithAna,
  type Stage,
} from "../support/stage.ts";
import { directChannel } from "../support/fake-channels.ts";
import { failing } from "./report-stage.ts";

const inChannel = (channelId: string) =>
  ({ subscriberId: GUILD, target: { kind: "channel", channelId } }) as const;

/** State of the server's report of that day. */
const stateOf = (stage: Stage, day: string) =>
  stage.stores.outbox.state(dailyReportKey(inChannel(CHANNEL), Temporal.PlainDate.from(day)));

const owed = async ({ stores }: Stage, day: string): Promise<readonly string[]> => {
  const pages = await Array.fromAsync(stores.ledger.owing(Temporal.PlainDate.from(day)));
  return pages.flat().map(({ ownerId }) => ownerId);
};

describe("the daily sales report", () => {
  it("does nothing before the hour", async () => {
    const stage = await stageWithAna("2026-11-20T00:04:59Z");
    await stage.stores.ledger.record(
      stage.anaId,
      Temporal.PlainDate.from("2026-11-18"),
      undefined,
      stage.clock.now(),
    );

    await stage.prepare();

    expect(await stateOf(stage, "2026-11-19")).toBeUndefined();
  });

  it("moves no window past a day that could not be read", async () => {
    const stage = await stageWithAna("2026-11-21T00:05Z");
    stage.wallet.read = (_, day) =>
      day.day === 19 ? failing("unavailable")() : Promise.resolve(sold(day));

    await stage.prepare();

    expect(await stateOf(stage, "2026-11-18")).toBe("due");
    expect(await stateOf(stage, "2026-11-19")).toBeUndefined();
    expect(await stateOf(stage, "2026-11-20")).toBeUndefined();
    expect(await owed(stage, "2026-11-19")).toEqual(["u-ana"]);
  });

  const since = Temporal.Instant.from("2026-11-19T12:00Z");

  it("that Discord rejects is told to the admin who set its route, once", async () => {
    const stage = await openStage("2026-11-20T00:05Z");
    await stage.saveRoute({ since });
    await stage.addSeller({ ownerId: "u-ana", since });
    const outcome = { kind: "rejected", status: 400, code: 50_083 } as const;
    stage.channels.mishap = (id) => (id === CHANNEL ? { outcome, made: false } : undefined);
    await stage.prepare();
    await stage.deliver();
    await stage.deliver();
    expect(await stateOf(stage, "2026-11-19")).toBe("dead");
    expect(stage.channels.inChannel(directChannel(ADMIN)).map(({ text }) => text)).toEqual([
      expect.stringContaining("O relatório de 19/11/2026 não saiu: o Discord recusou o post."),
    ]);
    expect(stage.channels.inChannel(directChannel("u-ana"))).toEqual([]);
  });

  it("that an unconfirmed attempt may have posted is not told as rejected", async () => {
    const stage = await openStage("2026-11-20T00:05Z");
    await stage.saveRoute({ since });
    await stage.addSeller({ ownerId: "u-ana", since });
    const outcomes = [
      { kind: "unclear", reason: "503" },
      { kind: "rejected", status: 400, code: 50_083 },
    ] as const;
    let attempts = 0;
    stage.channels.mishap = (id) =>
      id === CHANNEL ? { outcome: outcomes[attempts++ === 0 ? 0 : 1], made: false } : undefined;
    await stage.prepare();
    await stage.deliver();
    stage.clock.moveBy(10 * SECOND);
    await stage.deliver();
    expect(await stateOf(stage, "2026-11-19")).toBe("dead");
    expect(stage.channels.inChannel(directChannel(ADMIN))).toEqual([]);
    expect(stage.channels.inChannel(directChannel("u-ana")).map(({ text }) => text)).toEqual([
      expect.stringContaining("O seu relatório pode ter saído"),
    ]);
  });

  it("asks again a minute later, and then less and less often", async () => {
    const stage = await stageWithAna("2026-11-20T00:05Z");
    const tries: number[] = [];
    let minute = 0;
    stage.wallet.read = () => {
      tries.push(minute);
      return failing("timeout")();
    };

    for (; minute <= 60; minute++) {
      await stage.prepare();
      stage.clock.moveBy(MINUTE);
    }

    expect(tries).toEqual([0, 1, 3, 7, 15, 30, 45, 60]);
  });

  it("is patient anew with a seller whose reports were read in the meantime", async () => {
    const stage = await stageWithAna("2026-11-20T00:05Z");
    stage.wallet.read = failing("timeout");
    for (let minutes = 0; minutes < 30; minutes++) {
      await stage.prepare();
      stage.clock.moveBy(MINUTE);
    }
    stage.wallet.read = async (_, day) => sold(day);
    for (let minutes = 30; minutes < 60; minutes++) {
      await stage.prepare();
      stage.clock.moveBy(MINUTE);
    }
    stage.wallet.read = failing("timeout");
    stage.clock.moveBy(DAY - 60 * MINUTE);
    await stage.prepare();
    stage.wallet.read = async (_, day) => sold(day);

    stage.clock.moveBy(MINUTE);
    await stage.prepare();

    expect(await stateOf(stage, "2026-11-20")).toBe("due");
  });

  it("goes on with the next store when the kept days of one cannot be read", async () => {
    const stage = await stageWithAna("2026-11-20T00:05Z");
    const since = stage.clock.now().subtract({ hours: 1 });
    await stage.saveRoute({ guildId: "g2", since });
    await stage.addSeller({ guildId: "g2", ownerId: "u-bruno", since });
    const { salesDays, outbox } = stage.stores;
    const { ofGuild } = salesDays;
    Object.assign(salesDays, {
      ofGuild: (...[guildId, from, to]: Parameters<typeof ofGuild>) =>
        guildId === GUILD ? Promise.reject(new Error("away")) : ofGuild(guildId, from, to),
    });

    await stage.prepare();

    const other = { ...inChannel(CHANNEL), subscriberId: "g2" };
    const day = Temporal.PlainDate.from("2026-11-19");
    expect(await outbox.state(dailyReportKey(other, day))).toBe("due");
    expect(await stateOf(stage, "2026-11-19")).toBeUndefined();
  });

  it("is not kept from asking by a clock that was set back", async () => {
    const stage = await stageWithAna("2026-11-20T03:00Z");
    stage.wallet.read = failing("timeout");
    await stage.prepare();
    stage.clock.moveBy(-60 * MINUTE);
    stage.wallet.read = async (_, day) => sold(day);

    await stage.prepare();

    expect(await stateOf(stage, "2026-11-19")).toBe("due");
  });

  it("waits for a day that is open by the service's clock, and tells its last figures once ours is set back", async () => {
    const lead = 3 * HOUR;
    const stage = await stageWithAna("2026-11-20T00:05Z");
    const tries: number[] = [];
    stage.wallet.read = async (_, day) => {
      tries.push(day.day);
      return { ...sold(day, day.day === 19 ? 40 : 100), skewMs: -lead };
    };
    for (let minutes = 0; minutes < 60; minutes++) {
      await stage.prepare();
      stage.clock.moveBy(MINUTE);
    }
    expect(await stateOf(stage, "2026-11-19")).toBeUndefined();
    // At first, and then 1, 3, 7, 15, 30 and 45 minutes later.
    expect(tries).toEqual([18, ...Array.from({ length: 7 }, () => 19)]);

    stage.clock.moveBy(-lead);
    stage.wallet.read = async (_, day) => ({ ...sold(day, 100), skewMs: 0 });
    stage.clock.moveBy(lead - 60 * MINUTE);
    await stage.beat();

    const texts = stage.channels.inChannel(CHANNEL).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    expect(texts[1]).toMatch(/Fechamento de quinta, 19\/11.*R\$\u00a0100,00/);
  });

  it("keeps one seller's failure away from the others", async () => {
    const stage = await stageWithAna("2026-11-20T00:05Z");
    const since = Temporal.Instant.from("2026-11-19T12:00Z");
    await stage.addSeller({ ownerId: "u-bruno", since });
    stage.wallet.read = async (account, day) => {
      if (account.id === stage.anaId) throw new TypeError("a mistake of ours");
      return sold(day);
    };

    await stage.prepare();
    stage.clock.moveBy(15 * MINUTE);
    await stage.prepare();

    expect(await stateOf(stage, "2026-11-19")).toBe("due");
    expect(await owed(stage, "2026-11-19")).toEqual(["u-ana"]);
  });

  it("pauses a refused key and tells its owner once", async () => {
    const stage = await stageWithAna("2026-11-20T00:05Z");
    stage.wallet.read = failing("unauthorized");

    for (let ticks = 0; ticks < 5; ticks++) {
      await stage.beat();
      stage.clock.moveBy(MINUTE);
    }

    const told = stage.channels.messages.map(({ channelId }) => channelId);
    expect(told).toEqual([directChannel("u-ana")]);
    expect(stage.channels.messages[0]?.text).toContain("req-7");
    expect((await stage.stores.accounts.findById(stage.anaId))?.pausedAt).toBeDefined();
  });

  it("tells the owner of a refused key in the same minute", async () => {
    const stage = await stageWithAna("2026-11-20T00:05Z");
    stage.wallet.read = failing("unauthorized");

    await stage.startProcess().run("reports");

    await expect
      .poll(() => stage.channels.messages.map(({ channelId }) => channelId))
      .toEqual([directChannel("u-ana")]);
  });

  it.each([
    ["send", "due"],
    ["line", "due"],
    ["skip", undefined],
  ] as const)("treats a day without sales as the guild chose: %s", async (emptyChoice, state) => {
    const stage = await stageWithAna("2026-11-20T00:05Z");
    await stage.saveRoute({ emptyChoice, since: stage.clock.now() });
    stage.wallet.read = async (_, day) => sold(day, 0);

    await stage.prepare();

    expect(await stateOf(stage, "2026-11-19")).toBe(state);
    expect(await owed(stage, "2026-11-19")).toEqual([]);
  });

  it("goes to the channel that was chosen while the wallet answered", async () => {
    const stage = await stageWithAna("2026-11-21T00:05Z");
    await stage.saveRoute({ emptyChoice: "skip", since: stage.clock.now() });
    stage.wallet.read = async (_, day) => {
      await stage.saveRoute({ channelId: "c2", emptyChoice: "skip", since: stage.clock.now() });
      return sold(day, day.day === 18 ? 100 : 0);
    };

    await stage.prepare();

    const day = Temporal.PlainDate.from("2026-11-18");
    const key = dailyReportKey(inChannel("c2"), day);
    expect(await stage.stores.outbox.state(key)).toBe("due");
    expect(await stateOf(stage, "2026-11-18")).toBeUndefined();
  });

  it("tells a day that a refund lowered in the first of several late reports alone", async () => {
    const stage = await stageWithAna("2026-11-20T00:05Z");
    const { accountFp } = (await stage.stores.accounts.findById(stage.anaId))!;
    const day = Temporal.PlainDate.from("2026-11-19");
    await stage.prepare();
    for (const [reais, readAt] of [
      [100, "2026-11-20T00:06Z"],
      [40, "2026-11-20T03:00Z"],
    ] as const) {
      const figures = soldDay(Temporal.Instant.from(readAt), day, reais);
      await stage.stores.salesDays.keep(accountFp, figures);
    }
    stage.clock.moveBy(3 * DAY + 12 * HOUR);
    await stage.prepare();
    // Late reports are spread over the next hours.
    stage.clock.moveBy(3 * HOUR);
    await stage.deliver();
    expect(
      stage.textsIn().map((text) => text.includes("qui 19/11 caiu de R$ 100,00 para R$ 40,00.")),
    ).toEqual([false, false, true, false, false]);
  });
});

describe.each(databases)("a report whose channel is replaced, on $name", (kind) => {
  const OTHER = "c2";
  const unclear = (made: boolean) =>
    ({ outcome: { kind: "unclear", reason: "timeout" }, made }) as const;
  const refused = { kind: "unreadable", lasting: true } as const;
  const lost = { outcome: { kind: "lost_channel", code: 10_003 }, made: false } as const;

  /** Ana's report is due, and `attempt` is what becomes of its first attempt; then the other channel is chosen. */
  const replaced = async (attempt: (stage: Stage) => Promise<unknown>, others: string[] = []) => {
    const database = await kind.create();
    onTestFinished(database.drop);
    const stage = await openStage("2026-11-20T00:05Z", database.url);
    const since = Temporal.Instant.from("2026-11-19T12:00Z");
    await stage.saveRoute({ since });
    for (const ownerId of ["u-ana", ...others]) await stage.addSeller({ ownerId, since });
    await stage.prepare();
    await attempt(stage);
    stage.channels.mishap = undefined;
    await stage.saveRoute({ since: stage.clock.now(), channelId: OTHER });
    return stage;
  };
  const attemptWith = (made: boolean) => (stage: Stage) => {
    stage.channels.mishap = () => unclear(made);
    return stage.deliver();
  };
  /** Two minutes are the life of a nonce, and an attempt each is what the back-off allows. */
  const later = async (stage: Stage): Promise<void> => {
    for (let minutes = 0; minutes < 6; minutes++) {
      stage.clock.moveBy(MINUTE);
      await stage.deliver();
    }
  };
  const posts = ({ channels }: Stage) =>
    [CHANNEL, OTHER, directChannel("u-ana")].map((id) => channels.inChannel(id).length);

  it("goes to the new one if its first attempt did not reach the old one", async () => {
    const stage = await replaced(attemptWith(false));
    await later(stage);
    expect(posts(stage)).toEqual([0, 1, 0]);
    const [row] = await stage.db.selectFrom("outbox").select("line").execute();
    expect(row?.line).toBe(`channel:${OTHER}`);
  });

  it("goes to the new one if it was claimed by a process that died", async () => {
    const stage = await replaced(({ clock, stores }) =>
      stores.outbox.claim({ owner: "dead", leaseMs: MINUTE, limit: 1, now: clock.now() }),
    );
    await later(stage);
    expect(posts(stage)).toEqual([0, 1, 0]);
  });

  // *.store.test.ts tests the other statements on both databases.
  if (kind !== databases[0]) return;

  it("goes there before the one of a later day, which waited behind it", async () => {
    const stage = await replaced(async (begun) => {
      await attemptWith(false)(begun);
      const next = {
        dedupeKey: "report|next",
        kind: "sales_report",
        target: { kind: "channel", channelId: CHANNEL },
        guildId: GUILD,
        accountId: null,
        payload: { content: "next" },
        notBefore: begun.clock.now(),
      } as const;
      await begun.stores.outbox.enqueue(next, begun.clock.now());
    });
    await stage.deliver();
    expect(posts(stage)).toEqual([0, 0, 0]);
    await later(stage);
    expect(stage.channels.inChannel(OTHER).map(({ text }) => text === '"next"')).toEqual([
      false,
      true,
    ]);
    expect(posts(stage)).toEqual([0, 2, 0]);
  });

  it("goes to a new one whose history nobody may read, once the old one shows that it is not there", async () => {
    const stage = await replaced(attemptWith(false));
    stage.channels.searchMishap = (channelId) => (channelId === OTHER ? refused : undefined);
    await later(stage);
    expect(posts(stage)).toEqual([0, 1, 0]);
    expect(await stateOf(stage, "2026-11-19")).toBe("sent");
  });

  it("stands in the old one alone if its first attempt reached it", async () => {
    const stage = await replaced(attemptWith(true));
    await later(stage);
    expect(posts(stage)).toEqual([1, 0, 0]);
    expect(await stateOf(stage, "2026-11-19")).toBe("sent");
  });

  it("is told as unclear, in the seller's language, where nobody can know that", async () => {
    const stage = await replaced(attemptWith(false));
    await stage.stores.accounts.setAlerts(GUILD, "u-ana", "direct", stage.clock.now(), "en-US");
    stage.channels.searchMishap = () => refused;
    await later(stage);
    const text: unknown = expect.stringContaining("may have been posted");
    expect(stage.channels.messages).toMatchObject([{ channelId: directChannel("u-ana"), text }]);
    expect(await stateOf(stage, "2026-11-19")).toBe("unknown");
  });

  it("is not told as unclear to a seller who had left the server, and has no part in it", async () => {
    const stage = await replaced(
      async (begun) => {
        await begun.stores.presences.keep(GUILD, "u-bruno", "left", begun.clock.now(), undefined);
        await attemptWith(false)(begun);
      },
      ["u-bruno"],
    );
    stage.channels.searchMishap = () => refused;
    await later(stage);
    expect(stage.channels.inChannel(directChannel("u-ana"))).toHaveLength(1);
    expect(stage.channels.inChannel(directChannel("u-bruno"))).toEqual([]);
  });

  it("is told as unclear where the old one was lost after an attempt that may have reached it", async () => {
    const stage = await replaced(async (begun) => {
      await attemptWith(true)(begun);
      begun.channels.mishap = () => lost;
      begun.clock.moveBy(SECOND);
      await begun.deliver();
    });
    expect(await stateOf(stage, "2026-11-19")).toBe("blocked");
    stage.channels.searchMishap = () => refused;
    stage.clock.moveBy(HOUR);
    await stage.deliver();
    expect(await stateOf(stage, "2026-11-19")).toBe("unknown");
    expect(posts(stage)).toEqual([1, 0, 2]);
  });

  it("goes to the new one at once if its attempt at the old one, which is lost, was under way", async () => {
    const stage = await replaced(async (begun) => {
      const { post } = begun.channels;
      begun.channels.mishap = () => lost;
      begun.channels.post = async (...given) => {
        begun.channels.post = post;
        await begun.saveRoute({ since: begun.clock.now(), channelId: OTHER });
        return await post(...given);
      };
      await begun.deliver();
    });
    await stage.deliver();
    expect(posts(stage)).toEqual([0, 1, 0]);
  });
});
