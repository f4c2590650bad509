import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  capFreesAt,
  isNight,
  MINIMUM_WITHDRAWAL,
  quoteOf,
  recentWithdrawal,
  underWay,
} from "#src/withdrawals/withdraw-limits.ts";
import { cents } from "#src/shared/money.ts";
import {
  isLocking,
  newOpCode,
  readOpCode,
  type WithdrawOp,
  withdrawStates,
} from "#src/withdrawals/withdraw-op.ts";
import { DAY, HOUR } from "#src/shared/time.ts";
import { sampleOp } from "./withdraw-samples.ts";

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);

describe("a quote", () => {
  it.each([
    [1_000, true, 350, 650],
    [1_000, false, 50, 950],
    [123_456, true, 350, 123_106],
  ])("of %i centavos, turbo %s, costs %i and pays out %i", (gross, turbo, fee, net) => {
    expect(quoteOf(cents(gross), turbo)).toEqual({ fee, net });
  });

  it("of the least amount leaves something either way", () => {
    expect([true, false].map((turbo) => quoteOf(MINIMUM_WITHDRAWAL, turbo).net > 0)).toEqual([
      true,
      true,
    ]);
  });
});

describe("the night", () => {
  it.each([
    ["2026-11-20T22:59:59-03:00", true],
    ["2026-11-20T20:00:00-03:00", true],
    ["2026-11-20T19:59:59-03:00", false],
    ["2026-11-21T05:59:59-03:00", true],
    ["2026-11-21T06:00:00-03:00", false],
    ["2026-11-21T00:00:00-03:00", true],
    // Summer time of 2018: 20:00 there is 22:00 UTC.
    ["2018-12-01T22:00:00Z", true],
    ["2018-12-01T21:59:59Z", false],
  ])("%s belongs to it: %s", (instant, night) => {
    expect(isNight(at(instant))).toBe(night);
  });
});

describe("the next withdrawal", () => {
  const sent = at("2026-11-20T12:00:00Z");

  it.each([
    ["never one before", undefined, sent, undefined],
    ["at once after", sent, sent, "2026-11-21T12:00:00Z"],
    ["just before a day has passed", sent, at("2026-11-21T11:59:59.999Z"), "2026-11-21T12:00:00Z"],
    ["when a day has passed", sent, at("2026-11-21T12:00:00Z"), undefined],
    ["of a clock ahead, a day from now", sent, at("2026-11-20T09:00:00Z"), "2026-11-21T09:00:00Z"],
  ])("is allowed: %s", (_, last, now, expected) => {
    expect(recentWithdrawal(last, undefined, now)?.allowedFrom.toString()).toBe(expected);
  });
});

describe("S8: what locks a wallet account", () => {
  it.each(withdrawStates)("is an outcome that is not known, and no cancellation: %s", (state) => {
    const locks = (kind: "turbo" | "cancel", txid?: string) => isLocking({ kind, state, txid });
    const inDoubt = ["confirmed", "sending", "unknown", "manual"].includes(state);
    expect(locks("turbo")).toBe(inDoubt);
    expect(locks("turbo", "TX1")).toBe(inDoubt && state !== "manual");
    expect(locks("cancel")).toBe(false);
  });
});

const listed = (txid: string, status: string) => ({
  txid,
  requestedAt: undefined,
  amount: undefined,
  status,
});

it.each<[string, readonly string[], Partial<WithdrawOp>, ...ReturnType<typeof listed>[]]>([
  ["a turbo one is processed at once", ["processing"], { state: "accepted", kind: "turbo" }],
  ["a normal one waits at first", ["scheduled"], { state: "accepted" }],
  ["one waits as it was read", ["scheduled"], { state: "scheduled", kind: "turbo" }],
  ["one is processed as it was read", ["processing"], { state: "processing" }],
  ["the list is newer", ["processing"], { state: "scheduled" }, listed("TX1", "processing")],
  ["the list tells an end", [], { state: "processing" }, listed("TX1", "completed")],
  ["the list tells its end in another case", [], { state: "manual" }, listed("tx1", "completed")],
  ["one in doubt is not known to be", [], { state: "unknown", txid: undefined }],
  [
    "processing comes first",
    ["processing", "unread"],
    { state: "manual" },
    listed("TX2", "processing"),
  ],
  [
    "elsewhere too one waits",
    ["processing", "scheduled"],
    { state: "processing" },
    listed("TX2", "scheduled"),
  ],
  ["elsewhere too one ends", ["processing"], { state: "processing" }, listed("TX2", "completed")],
])("S8: of what is under way, %s: %j", (_, phases, given, ...items) => {
  const op = sampleOp({ txid: "TX1", ...given });
  const all = underWay([op], { items, skewMs: 0 }, new Map([["TX1", op.ownerId]]), op.ownerId);
  expect(all.map(({ phase }) => phase)).toEqual(phases);
});

describe("S8: the last withdrawal as far as is known", () => {
  const now = at("2026-11-20T12:00:00Z");
  const row = (requestedAt: Temporal.Instant | undefined) => ({
    txid: "TX",
    requestedAt,
    amount: undefined,
    status: undefined,
  });
  const last = (ours: number | undefined, listed: readonly number[], skewMs?: number) =>
    recentWithdrawal(
      ours === undefined ? undefined : now.subtract({ milliseconds: ours }),
      {
        items: [row(undefined), ...listed.map((ms) => row(now.subtract({ milliseconds: ms })))],
        skewMs,
      },
      now,
    );

  it.each([
    ["is none", undefined, [], undefined],
    ["is ours", HOUR, [2 * HOUR], HOUR],
    ["is one made elsewhere", 2 * HOUR, [HOUR], HOUR],
    ["is none after a day", DAY, [DAY, 2 * DAY], undefined],
    ["is none of a time that has not come", 2 * HOUR, [-1], 2 * HOUR],
    ["is of now where a clock ahead has dated ours", -3 * HOUR, [HOUR], 0],
  ])("%s", (_, ours, listed, agoMs) => {
    const found = last(ours, listed);
    expect(found && now.since(found.at).total("milliseconds")).toBe(agoMs);
    expect(found && found.allowedFrom.since(found.at).total("milliseconds")).toBe(
      agoMs === undefined ? undefined : DAY,
    );
  });

  it("is dated by our clock", () => {
    expect(last(undefined, [-HOUR], 2 * HOUR)?.at.equals(now.subtract({ hours: 1 }))).toBe(true);
  });
});

describe("S8: a used daily limit", () => {
  const now = at("2026-11-20T12:00:00Z");
  const sends = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: DAY - 1 }).map((ms) => now.subtract({ milliseconds: ms })),
      amount: fc.integer({ min: 1, max: 500_000 }).map((amount) => cents(amount)),
    }),
    { maxLength: 8 },
  );
  const limit = fc.integer({ min: MINIMUM_WITHDRAWAL, max: 1_000_000 }).map((cap) => cents(cap));

  /** By how much the limit is raised, without end where that is undefined. */
  const raise = fc.option(
    fc.record({
      from: fc.integer({ min: 1, max: DAY }).map((ms) => now.add({ milliseconds: ms })),
      cap: fc.option(limit, { nil: undefined }),
    }),
    { nil: undefined },
  );

  it.each([
    [5_999, "2026-11-21T09:00:00Z"],
    [6_000, undefined],
    [5_000, "2026-11-21T09:00:00Z"],
    [4_999, "2026-11-21T10:00:00Z"],
  ])("of %i frees the exact minimum at %s", (cap, freesAt) => {
    const sent = [
      { at: at("2026-11-20T10:00:00Z"), amount: cents(4_000) },
      { at: at("2026-11-20T09:00:00Z"), amount: cents(1_000) },
    ];
    const guards = { dailyCap: cents(cap), pendingCap: undefined };
    expect(capFreesAt(sent, guards)?.toString()).toBe(freesAt);
  });

  it("frees exactly when enough of what was sent is a day old, or a raise is in force", () => {
    fc.assert(
      fc.property(sends, limit, raise, (sent, dailyCap, pendingCap) => {
        const capAt = (instant: Temporal.Instant): number =>
          pendingCap === undefined || Temporal.Instant.compare(instant, pendingCap.from) < 0
            ? dailyCap
            : dailyCap + (pendingCap.cap ?? Infinity);
        const leftAt = (instant: Temporal.Instant): number =>
          sent
            .filter((each) => Temporal.Instant.compare(each.at.add({ hours: 24 }), instant) > 0)
            .reduce<number>((left, { amount }) => left - amount, capAt(instant));
        const cap = pendingCap?.cap && cents(dailyCap + pendingCap.cap);
        const guards = { dailyCap, pendingCap: pendingCap && { ...pendingCap, cap } };
        const freesAt = capFreesAt(sent, guards);
        if (freesAt === undefined) return leftAt(now) >= MINIMUM_WITHDRAWAL;
        const before = leftAt(freesAt.subtract({ milliseconds: 1 }));
        return leftAt(freesAt) >= MINIMUM_WITHDRAWAL && before < MINIMUM_WITHDRAWAL;
      }),
    );
  });
});

describe("the code of an operation", () => {
  const randomOf = (bytes: readonly number[]) => ({
    bytes: (size: number) => Uint8Array.from(bytes.slice(0, size)),
    fraction: () => 0,
  });

  it("uses all of its letters evenly and none that looks like another", () => {
    const codes = Array.from({ length: 256 }, (_, byte) =>
      newOpCode(randomOf([byte, byte, byte, byte, byte])),
    );
    const counts = Object.values(Object.groupBy(codes, (code) => code)).map((same) => same?.length);
    expect(new Set(counts)).toEqual(new Set([8]));
    expect(counts).toHaveLength(32);
    expect(codes.join("")).not.toMatch(/[ILOU]/);
  });

  it("is read back from what was written, however it is typed", () => {
    const five = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(five, (bytes) => {
        const code = newOpCode(randomOf(bytes));
        const bare = code.slice(2);
        const typed = [code, bare, code.toLowerCase(), ` ${code} `, bare.replaceAll("0", "o")];
        expect(typed.map(readOpCode)).toEqual(typed.map(() => code));
      }),
    );
  });

  it.each([
    ["w7k2q9", "W-7K2Q9"],
    ["W 7K2Q9", "W-7K2Q9"],
    ["wOIL01", "W-01101"],
    ["W-WWWWW", "W-WWWWW"],
    ["7K2Q", undefined],
    ["W-7K2QU", undefined],
    ["W-7K2Q99", undefined],
    ["W--7K2Q9", undefined],
    ["", undefined],
  ])("typed as %j is %s", (typed, code) => {
    expect(readOpCode(typed)).toBe(code);
  });
});
