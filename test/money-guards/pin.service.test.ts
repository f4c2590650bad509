import { scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createPinTurns, guardDelivery, PIN_RULE } from "#src/money-guards/money-guards.service.ts";
import { Secret } from "#src/shared/secret.ts";
import { DAY, MINUTE } from "#src/shared/time.ts";
import { fullAndRelative } from "#src/ui/format.ts";
import { testRandom } from "../support/databases.ts";
import {
  actor,
  ANA,
  BRUNO,
  confirmed,
  openMoneyStage,
  prepared,
  refusal,
  confirmationIn,
  textsOf,
  withdrawn,
} from "../withdrawals/money-stage.ts";
import { mistakeIn } from "../support/mistake-in.ts";

const PIN = new Secret("2580");
const WRONG = new Secret("0000");

describe("the PIN", () => {
  it("is asked for with the click that sends, and only there", async () => {
    const stage = await openMoneyStage(false);
    await stage.money.guards.setPin(actor(), PIN, undefined);
    const first = await prepared(stage);
    expect(first.pinRequired).toBe(false);

    const second = confirmationIn(
      await stage.money.withdrawals.confirm(actor(), first.token, undefined),
    );

    expect(second.pinRequired).toBe(true);
    expect(await refusal(confirmed(stage, second))).toEqual({ kind: "pin_required" });
    expect((await confirmed(stage, second, PIN)).op.state).toBe("accepted");
  });

  it("locks for a quarter of an hour at the fifth wrong try, the right one included", async () => {
    const stage = await openMoneyStage();
    await stage.money.guards.setPin(actor(), PIN, undefined);
    const confirmation = await prepared(stage);
    const attempt = (pin: Secret) => refusal(confirmed(stage, confirmation, pin));

    const told = [];
    for (const _ of [1, 2, 3, 4, 5]) told.push(await attempt(WRONG));

    const until = Temporal.Instant.from("2026-11-20T15:15Z");
    expect(told).toEqual([
      ...[4, 3, 2, 1].map((triesLeft) => ({ kind: "pin_wrong", triesLeft })),
      { kind: "pin_locked", until },
    ]);
    expect(await attempt(PIN)).toEqual({ kind: "pin_locked", until });
    expect(stage.sent).toEqual([]);
    stage.clock.moveBy(15 * 60_000);
    expect((await confirmed(stage, await prepared(stage), PIN)).op.state).toBe("accepted");
  });

  it("is told as locked no longer than until it is removed", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setPin(actor(), PIN, undefined);
    await guards.removePin(actor(), undefined);
    stage.clock.moveBy(DAY - 10 * MINUTE);
    const attempt = () => refusal(guards.removePin(actor(), WRONG));
    for (const _ of [1, 2, 3, 4]) await attempt();

    const until = Temporal.Instant.from("2026-11-21T15:00Z");
    const locked = { kind: "pin_locked", until };
    expect([await attempt(), await attempt()]).toEqual([locked, locked]);
    expect((await guards.find(ANA)).pin?.lockedUntil).toEqual(until);
    const news = (await textsOf(stage)).split("O seu PIN foi bloqueado").at(-1);
    expect(news).toContain(fullAndRelative(until));
    stage.clock.moveBy(10 * MINUTE);
    expect((await withdrawn(stage)).op.state).toBe("accepted");
  });

  it("is kept without being typed, so that wrong tries of others cannot hold its owner off", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setPin(actor(), PIN, undefined);
    const set = await guards.find(ANA);
    await guards.removePin(actor(), undefined);
    for (const _ of [1, 2, 3, 4, 5]) await refusal(guards.removePin(actor(), WRONG));
    expect(await refusal(guards.setPin(actor(), PIN, PIN))).toMatchObject({ kind: "pin_locked" });

    await guards.keepPin(actor());
    stage.clock.moveBy(DAY);
    expect(await guards.find(ANA)).toEqual(set);
    expect((await guards.keepPin(actor({ userId: BRUNO }))).pin).toBeUndefined();
    expect((await guards.find(BRUNO)).pin).toBeUndefined();
  });

  it("S9: refuses the right one of a click that began before the last wrong try of others", async () => {
    const stage = await openMoneyStage();
    await stage.money.guards.setPin(actor(), PIN, undefined);
    const { token } = await prepared(stage);
    const { guards } = stage.needs;
    const late = stage.process({
      guards: {
        ...guards,
        reservePinTry: async (...given) => {
          for (const _ of [1, 2, 3, 4, 5])
            await refusal(stage.money.withdrawals.confirm(actor(), token, WRONG));
          return await guards.reservePinTry(...given);
        },
      },
    });

    expect(await refusal(late.withdrawals.confirm(actor(), token, PIN))).toMatchObject({
      kind: "pin_locked",
    });
    expect(stage.sent).toEqual([]);
  });

  it("S9: gives a guesser twenty tries on the first day and five on each day after it", async () => {
    const stage = await openMoneyStage();
    await stage.money.guards.setPin(actor(), PIN, undefined);
    const { guards } = stage.stores;
    const start = stage.clock.now();
    const tried: number[] = [];
    for (let at = start; tried.length < 40;) {
      const notice = () =>
        guardDelivery(stage.needs, actor(), { change: "pin_locked", from: at }, at.toString());
      const reserved = await guards.reservePinTry(ANA, PIN_RULE, at, notice);
      if (reserved.kind === "look") tried.push(Math.floor(at.since(start).total("days")));
      if (reserved.kind === "locked") at = reserved.lockedUntil;
    }

    const onDay = (day: number) => tried.filter((each) => each === day).length;
    expect([0, 1, 2, 3].map(onDay)).toEqual([20, 5, 5, 5]);
  });

  it("S9: tells the owner of each lock once, by direct message", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setPin(actor(), PIN, undefined);
    const lock = async () => {
      for (const _ of [1, 2, 3, 4, 5, 6, 7]) {
        await refusal(guards.setPin(actor(), new Secret("1397"), WRONG));
      }
    };

    await lock();
    stage.clock.moveBy(15 * 60_000);
    await lock();

    expect(await stage.messages()).toEqual([
      `guard|${ANA}|pin_locked|2026-11-20T15:15:00Z due`,
      `guard|${ANA}|pin_set|2026-11-20T15:00:00Z due`,
      `guard|${ANA}|pin_locked|2026-11-20T16:15:00Z due`,
    ]);
  });

  it("S9: takes the message back when the last try was the right PIN", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setPin(actor(), PIN, undefined);
    for (const _ of [1, 2, 3, 4]) await refusal(guards.removePin(actor(), WRONG));

    await guards.setPin(actor(), PIN, PIN);

    expect(await stage.messages()).toEqual([
      `guard|${ANA}|pin_locked|2026-11-20T15:15:00Z obsolete`,
      `guard|${ANA}|pin_set|2026-11-20T15:00:00Z due`,
    ]);
    expect((await guards.find(ANA)).pin).toMatchObject({ wrongTries: 0, lockedUntil: undefined });
  });

  it("S9: checks all that is cheap before a new PIN is hashed", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setPin(actor(), PIN, undefined);
    let salts = 0;
    const bytes = (size: number) => {
      salts += 1;
      return testRandom.bytes(size);
    };
    const counted = stage.process({ random: { ...testRandom, bytes } }).guards;
    const another = new Secret("1397");

    expect(await refusal(counted.setPin(actor(), another, undefined))).toEqual({
      kind: "pin_required",
    });
    for (const _ of [1, 2, 3, 4, 5, 6]) await refusal(counted.setPin(actor(), another, WRONG));
    expect(await refusal(counted.setPin(actor(), another, PIN))).toMatchObject({
      kind: "pin_locked",
    });

    expect(salts).toBe(0);
  });

  it("S9: of two hundred forms of one person, looks at two at once and loses no try for the others", async () => {
    const stage = await openMoneyStage();
    // Each attempt lasts until the others have arrived.
    const { guards } = stage.process({ pinRounds: undefined });
    await guards.setPin(actor(), PIN, undefined);
    const forms = Array.from({ length: 200 }, () =>
      refusal(guards.setPin(actor(), new Secret("1397"), WRONG)),
    );

    const told = await Promise.all(forms);

    const busy = told.filter((reason) => (reason as { kind: string }).kind === "pin_busy");
    expect(busy).toHaveLength(198);
    expect((await stage.stores.guards.find(ANA))?.pin?.wrongTries).toBe(2);
  });

  it("is set by one of two clicks at once, and the other one is asked for it", async () => {
    const stage = await openMoneyStage();
    const set = (pin: Secret) => refusal(stage.money.guards.setPin(actor(), pin, undefined));
    const pins = [PIN, new Secret("1397")] as const;

    const told = await Promise.all(pins.map(set));

    expect(told).toContainEqual({ kind: "pin_required" });
    const first = told.indexOf("was not refused");
    const another = new Secret("13579");
    const { guards } = stage.money;
    expect((await guards.setPin(actor(), another, pins[first])).pin).toBeDefined();
  });

  it("is neither changed nor removed at once by the one before, compared before a change", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.needs;
    const another = new Secret("1397");
    /** The PIN is changed after it was compared. */
    const late = () =>
      stage.process({
        guards: {
          ...guards,
          clearPinTries: async (ownerId) => {
            await guards.clearPinTries(ownerId);
            await stage.money.guards.setPin(actor(), another, PIN);
          },
        },
      }).guards;
    await stage.money.guards.setPin(actor(), PIN, undefined);
    expect(await refusal(late().setPin(actor(), new Secret("13579"), PIN))).toEqual({
      kind: "pin_required",
    });

    await stage.money.guards.setPin(actor(), PIN, another);
    const { pin } = await late().removePin(actor(), PIN);
    expect(pin?.endsAt?.toString()).toBe("2026-11-21T15:00:00Z");
    expect((await stage.money.guards.removePin(actor(), another)).pin).toBeUndefined();
  });

  it("is told to its owner when it is set and when it is changed, and says how to be rid of it", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setPin(actor(), PIN, undefined);
    stage.clock.moveBy(DAY);
    await guards.setPin(actor(), new Secret("1397"), PIN);

    expect(await stage.messages()).toEqual([
      `guard|${ANA}|pin_set|2026-11-20T15:00:00Z due`,
      `guard|${ANA}|pin_set|2026-11-21T15:00:00Z due`,
    ]);
    const [told] = await stage.db.selectFrom("outbox").select("payload").execute();
    expect(told?.payload).toContain("Um PIN novo foi definido");
    expect(told?.payload).toContain("Travar saques");
    expect(told?.payload).not.toContain("2580");
  });

  it.each([
    ...["123", "123456789", "12a4", "١٢٣٤", ""].map((text) => [text, "pin_malformed"] as const),
    ...["1111", "1234", "87654321", "0123"].map((text) => [text, "pin_too_easy"] as const),
  ])("is never `%s`: %s", async (text, kind) => {
    const { guards } = (await openMoneyStage()).money;

    expect(await refusal(guards.setPin(actor(), new Secret(text), undefined))).toEqual({ kind });
    await guards.setPin(actor(), new Secret("1235"), undefined);
  });

  it("is kept as a hash under a salt of its own, which costs a guess as much as it may cost a click", async () => {
    const { money, process } = await openMoneyStage();
    const first = await money.guards.setPin(actor(), PIN, undefined);
    const second = await money.guards.setPin(actor(), PIN, PIN);

    expect(first.pin?.salt).not.toBe(second.pin?.salt);
    expect(first.pin?.hash).not.toBe(second.pin?.hash);
    expect(JSON.stringify([first, second])).not.toContain("2580");
    const { pin } = await process({ pinRounds: undefined }).guards.setPin(
      actor({ userId: BRUNO }),
      PIN,
      undefined,
    );
    const salt = Buffer.from(pin?.salt ?? "", "base64");
    const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
    expect(pin?.hash).toBe(scryptSync("2580", salt, 32, cost).toString("base64"));
  });

  it("is changed and removed at once by who knows it, and removed in a day by who does not", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setPin(actor(), PIN, undefined);
    expect(await refusal(guards.setPin(actor(), new Secret("1397"), undefined))).toEqual({
      kind: "pin_required",
    });
    expect(await refusal(guards.removePin(actor(), WRONG))).toMatchObject({ kind: "pin_wrong" });

    const waiting = await guards.removePin(actor(), undefined);
    expect(waiting.pin?.endsAt?.toString()).toBe("2026-11-21T15:00:00Z");
    expect(await stage.messages()).toEqual([
      `guard|${ANA}|pin_removal_asked|2026-11-20T15:00:00Z due`,
      `guard|${ANA}|pin_set|2026-11-20T15:00:00Z due`,
    ]);
    expect(await refusal(confirmed(stage, await prepared(stage)))).toEqual({
      kind: "pin_required",
    });
    stage.clock.moveBy(DAY / 2);
    expect((await guards.removePin(actor(), undefined)).pin?.endsAt).toEqual(waiting.pin?.endsAt);
    stage.clock.moveBy(DAY / 2);
    expect((await guards.find(ANA)).pin).toBeUndefined();

    await guards.setPin(actor(), PIN, undefined);
    expect((await guards.removePin(actor(), PIN)).pin).toBeUndefined();
  });

  it("is removed at once with a message, as by whoever has seen it typed", async () => {
    const stage = await openMoneyStage();
    const { guards } = stage.money;
    await guards.setPin(actor(), PIN, undefined);
    await guards.removePin(actor(), PIN);
    expect(await stage.messages()).toContain(`guard|${ANA}|pin_removed|2026-11-20T15:00:00Z due`);
  });
});

const held = () => {
  const ended = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    begun.resolve();
    await ended.promise;
  };
  return { work, begun: begun.promise, end: ended.resolve };
};

describe("S9: turns at hashing", () => {
  it("are two at once, in the order in which they were asked for", async () => {
    const turns = createPinTurns();
    const [first, second, third] = [held(), held(), held()];
    const began: string[] = [];
    const note =
      (name: string, { work }: ReturnType<typeof held>) =>
      async () => {
        began.push(name);
        await work();
      };
    const all = [
      turns.inTurn("ana", note("first", first)),
      turns.inTurn("bruno", note("second", second)),
      turns.inTurn("carla", note("third", third)),
    ];
    await Promise.all([first.begun, second.begun]);
    expect(began).toEqual(["first", "second"]);

    second.end();
    await third.begun;
    expect(began).toEqual(["first", "second", "third"]);
    first.end();
    third.end();
    await Promise.all(all);
  });

  it("leave a place for everybody while one person sends hundreds", async () => {
    const turns = createPinTurns();
    const [blocked, flood] = [held(), held()];
    const running = turns.inTurn("bruno", blocked.work);
    const forms = Array.from({ length: 200 }, () => mistakeIn(turns.inTurn("ana", flood.work)));
    const other = held();
    const waiting = turns.inTurn("carla", other.work);

    blocked.end();
    flood.end();
    await other.begun;
    other.end();
    await Promise.all([running, waiting]);
    const told = await Promise.all(forms);
    expect(told.filter((kind) => kind === "pin_busy")).toHaveLength(198);
  });

  it("are no more for one person who sends the next as each ends", async () => {
    const turns = createPinTurns();
    const [first, second, third] = [held(), held(), held()];
    const forms = [first, second].map(({ work }) => turns.inTurn("ana", work));
    first.end();
    await forms[0];
    const next = turns.inTurn("ana", third.work);
    const another = mistakeIn(turns.inTurn("ana", third.work));
    second.end();
    third.end();
    expect(await another).toBe("pin_busy");
    await Promise.all([...forms, next]);
  });

  it("are refused beyond fifty that wait, and free again after work that failed", async () => {
    const turns = createPinTurns();
    const all = Array.from({ length: 53 }, held);
    const kinds = all.map(({ work }, person) => mistakeIn(turns.inTurn(`person ${person}`, work)));
    for (const { end } of all) end();
    expect((await Promise.all(kinds)).filter((kind) => kind === "pin_busy")).toHaveLength(1);

    const broken = turns.inTurn("ana", () => Promise.reject(new Error("broken")));
    await expect(broken).rejects.toThrow("broken");
    expect(await turns.inTurn("ana", async () => "free")).toBe("free");
  });
});
