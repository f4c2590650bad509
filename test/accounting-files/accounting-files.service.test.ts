import { expect, test } from "vitest";
import { codesOf } from "#src/accounting-files/accounting-book.view.ts";
import { withdrawalSums } from "#src/accounting-files/accounting.ts";
import {
  type AskedDetails,
  createAccountingFiles,
} from "#src/accounting-files/accounting-files.service.ts";
import type { SalesPeriod } from "#src/reports/sales-period.ts";
import { WalletError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import type { ListedWithdrawal, Withdrawal } from "#src/withdrawals/withdrawal.ts";
import type { WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import { sampleAccount } from "../support/samples.ts";
import { MASKED, sampleOp, sampleWithdrawal, WHOLE } from "../withdrawals/withdraw-samples.ts";
import { day, factsOf } from "./accounting-samples.ts";

const at = (text: string) => Temporal.Instant.from(`2026-11-${text}:00Z`);
const { reading } = factsOf("2026-11-18", [day(1, 0), day(1, 0)]);
const FAILED = { kind: "unavailable", method: "GET", requestId: "req_5b1d" } as const;
const unreadable = (route: string) => new WalletError({ ...FAILED, route });

interface World {
  readonly paid?: readonly { readonly op: WithdrawOp; readonly at: Temporal.Instant }[];
  readonly open?: readonly WithdrawOp[];
  readonly listed?: readonly ListedWithdrawal[] | undefined;
  readonly details?: readonly Withdrawal[];
  readonly pixKey?: string;
  /** Of earlier presses. */
  readonly askedDetails?: AskedDetails;
  readonly now?: Temporal.Instant;
  readonly of?: typeof reading;
}

const gather = async (world: World) => {
  const { paid = [], open = [], listed, details = [], pixKey } = world;
  const { askedDetails = new Map(), now = at("20T12:00"), of = reading } = world;
  const asked: string[] = [];
  const service = createAccountingFiles({
    accounts: {
      findWithKey: async () => ({ account: sampleAccount(), apiKey: new Secret("sk_test_1") }),
    },
    readPeriod: async () => ({ ...of, missing: 0, isKept: false }),
    journal: {
      completedBetween: async (_, from, to) =>
        paid.filter(
          (each) =>
            Temporal.Instant.compare(each.at, from) >= 0 &&
            Temporal.Instant.compare(each.at, to) < 0,
        ),
      openOf: async () => open,
      claimantsOf: async () => new Map(paid.map(({ op }) => [op.txid ?? "", op.ownerId])),
      pixKeyOf: async () => pixKey,
    },
    askedDetails,
    clock: { now: () => now },
    hashPixKey: (text) => (text === WHOLE ? "hash" : `hash of ${text}`),
    wallet: {
      withdrawals: async () => {
        if (listed === undefined) throw unreadable("/v1/withdrawals");
        return { items: listed, skewMs: undefined };
      },
      withdrawal: async (_, txid) => {
        asked.push(txid);
        const found = details.find((each) => each.txid === txid);
        if (found === undefined) throw unreadable("/v1/withdrawals/{txid}");
        return found;
      },
    },
  });
  const period: SalesPeriod = of.period;
  return { facts: await service.facts("guild", "ana", period), asked };
};
const listedAs = (txid: string, requestedAt?: Temporal.Instant, status?: string) => ({
  txid,
  requestedAt,
  status,
  amount: cents(5_000),
});
const op = (id: string, changes: Partial<WithdrawOp> = {}) =>
  sampleOp({ id, state: "completed", txid: `TX-${id}`, fee: cents(50), net: cents(1), ...changes });
const idsOf = ({ withdrawals }: Awaited<ReturnType<typeof gather>>["facts"]) =>
  withdrawals.map((each) => each.op?.id ?? each.txid);

test("a withdrawal counts from the first day's opening to the last day's close, at 21:00 in Brasília", async () => {
  const { facts } = await gather({
    paid: [
      { op: op("W-0"), at: at("17T23:59") },
      { op: op("W-1"), at: at("18T00:00") },
      { op: op("W-2"), at: at("19T23:59") },
      { op: op("W-3"), at: at("20T00:00") },
    ],
    listed: [],
  });
  expect(idsOf(facts)).toEqual(["W-1", "W-2"]);
  expect(facts.elsewhere).toEqual({ kind: "read", since: undefined, unclear: 0, left: 0 });
});

test("one of another owner of the account has the service's code alone, also when confirmed by hand", async () => {
  const ownerId = "somebody else";
  const sentAt = at("19T14:00");
  const times = { requestedAt: sentAt, completedAt: sentAt };
  const pair = { state: "resolved_manual", txid: undefined, sentAt } as const;
  const others = op("W-3", { ...pair, ownerId, amount: cents(700) });
  const { facts } = await gather({
    paid: [
      { op: op("W-1"), at: at("19T12:00") },
      { op: op("W-2", { ownerId }), at: at("19T13:00") },
      { op: others, at: sentAt },
    ],
    listed: [listedAs("TX-9", sentAt, "completed")],
    details: [sampleWithdrawal({ txid: "TX-9", amount: cents(700), pixKey: WHOLE, ...times })],
    pixKey: WHOLE,
  });
  expect(idsOf(facts)).toEqual(["W-1", "W-2", "W-3"]);
  expect(facts.withdrawals.map(codesOf)).toEqual([["W-1", "TX-W-1"], ["TX-W-2"], ["TX-9"]]);
});

test("one of another amount than confirmed has the amount that the service took", async () => {
  const taken = op("W-1", { amount: cents(5_000), fee: cents(350), net: cents(499_650) });
  const { facts } = await gather({ paid: [{ op: taken, at: at("19T12:00") }], listed: [] });
  expect(facts.withdrawals).toMatchObject([{ amount: 500_000, fee: 350, net: 499_650 }]);
});

test("those made elsewhere come from the service's list, with their details, in the order of time", async () => {
  const { facts, asked } = await gather({
    paid: [{ op: op("W-1"), at: at("19T12:00") }],
    listed: [
      listedAs("TX-4", at("20T01:00"), "completed"),
      listedAs("TX-W-1", at("19T11:00"), "completed"),
      listedAs("TX-3", at("18T02:00"), "failed"),
      listedAs("TX-2", at("18T01:00"), "completed"),
      listedAs("TX-5", at("10T01:00"), "completed"),
    ],
    details: [sampleWithdrawal({ txid: "TX-2", completedAt: at("18T05:00"), fee: cents(350) })],
  });
  expect(idsOf(facts)).toEqual(["TX-2", "W-1"]);
  expect(facts.withdrawals[0]).toMatchObject({ fee: 350, net: 123_350 });
  expect(asked).toEqual(["TX-2"]);
  expect(facts.elsewhere).toMatchObject({ since: at("10T01:00"), unclear: 0 });
});

test("a detail that cannot be read leaves the list's amount; without state or time it is told as unclear", async () => {
  const { facts } = await gather({
    listed: [
      listedAs("TX-1", at("18T12:00"), "completed"),
      listedAs("TX-2", at("18T12:00")),
      listedAs("TX-3", undefined, "completed"),
    ],
  });
  expect(facts.withdrawals).toMatchObject([{ txid: "TX-1", amount: 5_000, fee: undefined }]);
  expect(facts.elsewhere).toMatchObject({ kind: "read", unclear: 2 });
});

test("one asked for before the period whose detail cannot be read is told as unclear", async () => {
  const { facts } = await gather({ listed: [listedAs("TX-1", at("17T12:00"), "completed")] });
  expect(facts).toMatchObject({ withdrawals: [], elsewhere: { unclear: 1 } });
});

test.each([
  ["oldest first", at("10T01:00"), at("18T01:00")],
  ["without a time", at("18T01:00"), undefined],
])("a list %s may lack the newest, whatever its oldest row is", async (_, first, last) => {
  const { facts } = await gather({
    listed: [listedAs("TX-1", first, "failed"), listedAs("TX-2", last, "failed")],
  });
  expect(facts.elsewhere).toMatchObject({ since: "unordered" });
});

test("at most ten details are read for one answer", async () => {
  const listed = Array.from({ length: 14 }, (_, place) => listedAs(`TX-${place}`, at("18T12:00")));
  const { asked, facts } = await gather({ listed });
  expect(asked).toHaveLength(10);
  expect(facts.elsewhere).toMatchObject({ unclear: 14, left: 4 });
});

/** A withdrawal a day made elsewhere from 1 October on, each paid eighteen hours later, and the presses for a period. */
const daily = (days: number, unreadable = 0) => {
  const details = Array.from({ length: days }, (_, place) => {
    const requestedAt = Temporal.Instant.from("2026-10-01T15:00:00Z").add({ hours: 24 * place });
    const completedAt = requestedAt.add({ hours: 18 });
    const rest = { amount: cents(5_000), fee: cents(50), net: cents(4_950), pixKey: "a@b.co" };
    return sampleWithdrawal({ txid: `TX-${place}`, requestedAt, completedAt, ...rest });
  });
  const listed = details
    .map(({ txid, requestedAt }) => listedAs(txid, requestedAt, "completed"))
    .toReversed();
  const askedDetails: AskedDetails = new Map();
  const press = (first: string, length: number, now?: Temporal.Instant) => {
    const of = factsOf(first, Array(length).fill(day(1, 0))).reading;
    const known = details.slice(0, details.length - unreadable);
    return gather({ listed, details: known, askedDetails, of, ...(now && { now }) });
  };
  return { press };
};

test("each press reads ten more details, until a month with a withdrawal a day is complete", async () => {
  const { press } = daily(65);
  const presses = [];
  for (let count = 0; count < 5; count++) presses.push(await press("2026-11-01", 30));
  expect(presses.map(({ asked }) => asked.length)).toEqual([10, 10, 10, 3, 0]);
  expect(new Set(presses.flatMap(({ asked }) => asked)).size).toBe(33);
  expect(presses.map(({ facts }) => facts.elsewhere)).toMatchObject(
    [23, 13, 3, 0, 0].map((left) => ({ unclear: 0, left })),
  );
  const { facts } = presses.at(-1)!;
  const sums = { count: 30, amount: 150_000, net: 148_500, incomplete: 0 };
  expect(withdrawalSums(facts.withdrawals)).toMatchObject(sums);
});

test("what was asked for in one month and paid in the next is in the file of the next alone", async () => {
  const { press } = daily(61);
  const [october, november] = [await press("2026-10-01", 31), await press("2026-11-01", 30)];
  const paid = [october, november].map(({ facts }) => facts.withdrawals.map(({ txid }) => txid));
  expect(paid[0]).not.toContain("TX-30");
  expect(paid[1]).toContain("TX-30");
  const txids = Array.from({ length: 60 }, (_, place) => `TX-${place}`);
  expect(paid.flat()).toHaveLength(txids.length);
  expect(new Set(paid.flat())).toEqual(new Set(txids));
});

test("details that cannot be read hold back none of the others", async () => {
  const { press } = daily(61, 10);
  const presses = [];
  for (let count = 0; count < 5; count++) presses.push(await press("2026-11-01", 30));
  expect(new Set(presses.slice(0, 4).flatMap(({ asked }) => asked)).size).toBe(33);
  expect(presses[4]!.facts.elsewhere).toMatchObject({ left: 0 });
  expect(presses[4]!.asked).toHaveLength(10);
});

test("a detail of more than an hour ago is asked for again", async () => {
  const { press } = daily(5);
  const now = at("20T12:00");
  const { asked } = await press("2026-10-01", 31, now);
  expect((await press("2026-10-01", 31, now.add({ minutes: 60 }))).asked).toEqual([]);
  expect((await press("2026-10-01", 31, now.add({ minutes: 61 }))).asked).toEqual(asked);
});

test("a detail that may still change is asked for again at the next press", async () => {
  const requestedAt = at("18T12:00");
  const world = { listed: [listedAs("TX-1", requestedAt)], askedDetails: new Map() };
  const presses = [];
  for (const status of ["processing", "completed"] as const) {
    const detail = sampleWithdrawal({ txid: "TX-1", status, completedAt: requestedAt });
    presses.push(idsOf((await gather({ ...world, details: [detail] })).facts));
  }
  expect(presses).toEqual([[], ["TX-1"]]);
});

test.each([{ requestedAt: at("18T12:00") }, { requestedAt: undefined }])(
  "one confirmed by hand is one row at each press, listed with %o",
  async ({ requestedAt }) => {
    const sentAt = at("18T12:00");
    const byHand = op("W-1", { state: "resolved_manual", txid: undefined, sentAt });
    const { amount = cents(0) } = byHand;
    const times = { requestedAt: sentAt, completedAt: sentAt.add({ minutes: 5 }) };
    const world: World = {
      paid: [{ op: byHand, at: sentAt }],
      listed: [listedAs("TX-9", requestedAt, "completed")],
      details: [sampleWithdrawal({ txid: "TX-9", amount, pixKey: WHOLE, ...times })],
      pixKey: WHOLE,
      askedDetails: new Map(),
    };
    for (let press = 0; press < 2; press++)
      expect(idsOf((await gather(world)).facts)).toEqual(["W-1"]);
  },
);

test("a list that cannot be read is told as such, and the journal's withdrawals stay", async () => {
  const { facts } = await gather({ paid: [{ op: op("W-1"), at: at("19T12:00") }] });
  expect(idsOf(facts)).toEqual(["W-1"]);
  expect(facts.elsewhere).toEqual({ kind: "unread", supportCode: "req_5b1d" });
});

/** Confirmed by hand, beside a withdrawal of the service's list. */
const gatherConfirmed = async (
  given: Partial<WithdrawOp>,
  listed: Partial<Withdrawal>,
  pixKey?: string,
) => {
  const sentAt = at("19T23:50");
  const byHand = op("W-1", { state: "resolved_manual", txid: undefined, sentAt, ...given });
  const { requestedAt = sentAt } = listed;
  const times = { requestedAt, completedAt: at("19T23:55") };
  const { facts } = await gather({
    paid: [{ op: byHand, at: sentAt }],
    listed: [listedAs("TX-9", requestedAt, "completed")],
    details: [sampleWithdrawal({ txid: "TX-9", ...times, ...listed })],
    ...(pixKey !== undefined && { pixKey }),
  });
  return facts.withdrawals.map((each) => [each.op?.id, each.txid]);
};

const SPLIT = { kind: "split_normal", amount: undefined } as const;

test.each([
  ["by its key", {}, {}, WHOLE],
  ["by its erased key", {}, {}, undefined],
  ["by its erased key, which the service masks", {}, { pixKey: MASKED }, undefined],
  ["by its key, which the service hides", {}, { pixKey: "***" }, WHOLE],
  ["by its erased key, which the service hides", {}, { pixKey: "***" }, undefined],
  ["a split by its key", SPLIT, {}, WHOLE],
  ["a split by its erased key", SPLIT, {}, undefined],
])(
  "a withdrawal that its owner confirmed by hand is one row with the service's: %s",
  async (_, given, listed, pixKey) => {
    expect(await gatherConfirmed(given, listed, pixKey)).toEqual([["W-1", "TX-9"]]);
  },
);

test.each([
  ["another key", { pixKey: "52998224725" }],
  ["another hour", { requestedAt: at("19T12:00") }],
  ["another speed", { isTurbo: true }],
])(
  "a withdrawal that its owner confirmed by hand is not joined with one of %s, kept key or erased",
  async (_, listed) => {
    for (const pixKey of [WHOLE, undefined])
      expect(await gatherConfirmed({}, listed, pixKey)).toHaveLength(2);
  },
);

/** Confirmed by hand at 19T23:50, beside rows of the service's list of which some have no readable detail. */
const gatherUnread = (
  given: Partial<WithdrawOp>,
  listed: readonly ListedWithdrawal[],
  details: readonly Withdrawal[] = [],
) => {
  const sentAt = at("19T23:50");
  const byHand = op("W-1", { state: "resolved_manual", txid: undefined, sentAt, ...given });
  return gather({ paid: [{ op: byHand, at: sentAt }], listed, details, pixKey: WHOLE });
};
const UNREAD = { ...listedAs("TX-9", at("19T23:51"), "completed"), amount: cents(123_400) };

test.each([
  ["", {}, {}],
  [" with its net amount", {}, { amount: cents(123_350) }],
  [" without an amount", {}, { amount: undefined }],
  [" for a split of any amount", SPLIT, { amount: cents(7_700) }],
])(
  "a withdrawal that its owner confirmed by hand does not count again by a row that could not be read%s",
  async (_, given, listed) => {
    const { facts } = await gatherUnread(given, [{ ...UNREAD, ...listed }]);
    expect(idsOf(facts)).toEqual(["W-1"]);
    expect(facts.elsewhere).toMatchObject({ unclear: 1 });
  },
);

test.each([
  ["another amount", { amount: cents(123_401) }],
  ["another hour", { requestedAt: at("19T12:00") }],
])("a row of %s counts beside one confirmed by hand, read or not", async (_, listed) => {
  const { facts } = await gatherUnread({}, [{ ...UNREAD, ...listed }]);
  expect(new Set(idsOf(facts))).toEqual(new Set(["TX-9", "W-1"]));
  expect(facts.elsewhere).toMatchObject({ unclear: 0 });
});

const readRow = (txid: string, requestedAt: Temporal.Instant): Withdrawal =>
  sampleWithdrawal({ txid, requestedAt, completedAt: requestedAt });

test("of two rows of its key, amount and hour the nearest is the one confirmed by hand", async () => {
  const rows = ["23:56", "23:51"].map((time, place) => readRow(`TX-${place}`, at(`19T${time}`)));
  const { facts } = await gatherUnread({}, rows, rows);
  expect(facts.withdrawals.map((each) => [each.op?.id, each.txid])).toEqual([
    ["W-1", "TX-1"],
    [undefined, "TX-0"],
  ]);
});

test("one whose code the journal knows is not joined with one elsewhere of its key, amount and hour", async () => {
  const row = readRow("TX-9", at("19T23:51"));
  const { facts } = await gatherUnread({ state: "completed", txid: "TX-W-1" }, [row], [row]);
  expect(facts.withdrawals.map(({ txid }) => txid)).toEqual(["TX-W-1", "TX-9"]);
});

test("two confirmed by hand within minutes are two rows by a clock that is minutes behind", async () => {
  const sent = [at("19T23:50"), at("19T23:54")];
  const byHand = { state: "resolved_manual", txid: undefined, skewMs: undefined } as const;
  const ops = sent.map((sentAt, place) => op(`W-${place}`, { ...byHand, sentAt }));
  const paid = ops.map((each) => ({ op: each, at: at("19T23:54") }));
  const rows = sent.map((sentAt, place) => readRow(`TX-${place}`, sentAt.subtract({ minutes: 6 })));
  const { facts } = await gather({ paid, listed: rows, details: rows, pixKey: WHOLE });
  expect(idsOf(facts)).toEqual(["W-0", "W-1"]);
});

test("an unread row counts beside one confirmed by hand whose own row was read", async () => {
  const times = { requestedAt: at("19T23:50"), completedAt: at("19T23:55") };
  const own = { ...UNREAD, txid: "TX-8", requestedAt: times.requestedAt };
  const detail = sampleWithdrawal({ txid: "TX-8", ...times });
  const { facts } = await gatherUnread({}, [UNREAD, own], [detail]);
  expect(facts.withdrawals.map((each) => [each.op?.id, each.txid])).toEqual([
    [undefined, "TX-9"],
    ["W-1", "TX-8"],
  ]);
  expect(facts.elsewhere).toMatchObject({ unclear: 0 });
});

test("what may be one confirmed by hand is read first of all, also if it was listed after the close", async () => {
  const requestedAt = at("20T00:01");
  const others = Array.from({ length: 10 }, (_, place) =>
    listedAs(`TX-${place}`, at("18T12:00"), "completed"),
  );
  const { facts, asked } = await gatherUnread(
    { sentAt: at("19T23:59") },
    [...others, { ...UNREAD, txid: "TX-10", requestedAt }],
    [sampleWithdrawal({ txid: "TX-10", requestedAt, completedAt: at("20T00:02") })],
  );
  expect(asked).toHaveLength(10);
  expect(asked[0]).toBe("TX-10");
  // It was paid after the period.
  expect(idsOf(facts)).not.toContain("W-1");
});

test.each([undefined, "completed"])(
  "a row with the state %s of the next period, that nobody could read, is none of this one",
  async (status) => {
    const [sentAt, requestedAt] = [at("19T23:59"), at("20T00:01")];
    const { facts } = await gatherUnread({ sentAt }, [{ ...UNREAD, requestedAt, status }]);
    expect(idsOf(facts)).toEqual(["W-1"]);
    expect(facts.elsewhere).toMatchObject({ unclear: 0 });
  },
);

test("withdrawals without a known end are counted apart, if they were sent before the period's end", async () => {
  const { facts } = await gather({
    open: [
      op("W-1", { state: "unknown", sentAt: at("18T12:00") }),
      op("W-2", { state: "processing", sentAt: at("20T12:00") }),
      op("W-3", { state: "confirmed", sentAt: undefined }),
    ],
    listed: [],
  });
  expect(facts).toMatchObject({ underWay: 1, withdrawals: [] });
});
