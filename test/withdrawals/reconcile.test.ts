import { describe, expect, it } from "vitest";
import {
  type BalanceChange,
  compareBalance,
  countAbsence,
  distanceMs,
  isBeforeRequest,
  isMatch,
  mayBeOpId,
  mayBeOurs,
  mayHaveRefunded,
  newTxids,
  provesAbsence,
} from "#src/withdrawals/reconcile.ts";
import type { WithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import type { Withdrawal, WithdrawalPage } from "#src/withdrawals/withdrawal.ts";
import { cents } from "#src/shared/money.ts";
import { sampleOp } from "./withdraw-samples.ts";

const SENT = Temporal.Instant.from("2026-11-20T12:00:00Z");
const after = (duration: string): Temporal.Instant => SENT.add(duration);

const page = (
  ...rows: readonly (readonly [txid: string, requested?: string])[]
): WithdrawalPage => ({
  items: rows.map(([txid, requested]) => ({
    txid,
    requestedAt: requested === undefined ? undefined : after(requested),
    amount: undefined,
    status: undefined,
  })),
  skewMs: 0,
});

type Asked = Pick<WithdrawOp, "kind" | "amount" | "sentAt" | "skewMs" | "preTxids">;
const op = (given: Partial<Asked> = {}): Asked => ({
  kind: "turbo",
  amount: cents(5_000),
  sentAt: SENT,
  skewMs: 0,
  preTxids: ["a", "b"],
  ...given,
});

type Found = Pick<Withdrawal, "pixKey" | "isTurbo" | "amount" | "requestedAt">;
const found = (given: Partial<Found> = {}): Found => ({
  pixKey: "ana@example.com",
  isTurbo: true,
  amount: cents(5_000),
  requestedAt: SENT,
  ...given,
});

/** A request sent while the service's clock was unknown. */
const UNREAD = { skewMs: undefined };

it("takes for new what is listed, was not before, and is nobody's", () => {
  expect(newTxids(page(["d"], ["c"], ["d"], ["b"]), op(), ["c"])).toEqual(["d"]);
  expect(newTxids(page(["d"], ["a"]), op({ preTxids: undefined }), [])).toEqual(["d", "a"]);
});

it.each<[string, boolean, string, Partial<Asked>]>([
  ["asked for 5 seconds before the request", false, "-PT5S", {}],
  ["asked for longer before it", true, "-PT5.001S", {}],
  ["asked for after it", false, "PT1M", {}],
  ["asked for before it by a clock that was never read", false, "-PT2M", UNREAD],
  ["asked for after it by a clock that is a minute behind", false, "-PT30S", { skewMs: -60_000 }],
])("a withdrawal %s: asked for before the request is %s", (_, before, at, given) => {
  const withdrawal = found({ requestedAt: after(at) });
  expect(isBeforeRequest(op(given), withdrawal)).toBe(before);
  // Sorts after each fitting candidate.
  expect(distanceMs(op(given), withdrawal) >= 86_400_000).toBe(before);
});

describe("a withdrawal of the service", () => {
  it.each<[string, boolean, Partial<Found>, Partial<Asked>]>([
    ["is ours when all agrees", true, {}, {}],
    ["is not with another key", false, { pixKey: "bruno@example.com" }, {}],
    ["is ours with the key in capitals", true, { pixKey: "ANA@EXAMPLE.COM" }, {}],
    ["is ours with a mask that fits the key", true, { pixKey: "a**@example.com" }, {}],
    ["is not with a mask that shows too little", false, { pixKey: "a***@e***" }, {}],
    ["is not at another speed", false, { isTurbo: false }, {}],
    ["is not with another amount", false, { amount: cents(5_001) }, {}],
    ["is ours with any amount for a split", true, { amount: cents(77) }, { kind: "split_turbo" }],
    ["is not at another speed for a split", false, {}, { kind: "split_normal" }],
    ["is ours 2 minutes early", true, { requestedAt: after("-PT2M") }, {}],
    ["is not earlier", false, { requestedAt: after("-PT2M0.001S") }, {}],
    ["is ours 10 minutes late", true, { requestedAt: after("PT10M") }, {}],
    ["is not later", false, { requestedAt: after("PT10M0.001S") }, {}],
    ["is ours by its own clock", true, { requestedAt: after("PT15M") }, { skewMs: 300_000 }],
    ["is not by its own clock", false, { requestedAt: after("-PT2M") }, { skewMs: 300_000 }],
    ["is ours by an unknown clock", true, { requestedAt: after("PT15M") }, UNREAD],
    ["is not by any clock", false, { requestedAt: after("PT15M1S") }, UNREAD],
    ["is ours 7 minutes early by an unknown clock", true, { requestedAt: after("-PT7M") }, UNREAD],
    ["is not earlier by any clock", false, { requestedAt: after("-PT7M0.001S") }, UNREAD],
    ["is not when nothing was sent", false, {}, { sentAt: undefined }],
  ])("%s", (_, matches, withdrawal, asked) => {
    expect(isMatch(op(asked), "ana@example.com", found(withdrawal))).toBe(matches);
  });

  it.each([
    ["+5511987654321", "11987654321"],
    ["+5511900000083", "11900000083"],
    ["11900000083", "11900000083"],
    ["52998224725", "529.982.247-25"],
    ["12ABC34501DE35", "12.abc.345/01de-35"],
  ])("goes to the key %s also when it is written %s", (ours, theirs) => {
    expect(isMatch(op(), ours, found({ pixKey: theirs }))).toBe(true);
  });
});

describe("a withdrawal that does not match", () => {
  it.each<[string, boolean, Partial<Found>, Partial<Asked>]>([
    ["may be ours at another speed", true, { isTurbo: false }, {}],
    ["may be ours with a key in an unknown form", true, { pixKey: "chave-da-loja" }, {}],
    ["may be ours with a mask that shows too little", true, { pixKey: "a***@e***" }, {}],
    ["S1: may be ours with another mask than stars", true, { pixKey: "a•••@e•••.com" }, {}],
    ["S1: may be ours with number signs", true, { pixKey: "a##@e######.com" }, {}],
    ["S1: may be ours cut short", true, { pixKey: "an...@example.com" }, {}],
    ["is a stranger's with another key", false, { pixKey: "bruno@example.com" }, {}],
    ["is a stranger's with another amount", false, { amount: cents(5_001) }, { kind: "turbo" }],
    ["may be ours when it comes late", true, { requestedAt: after("PT1H") }, {}],
    [
      "S6: may be ours dated an hour before, by another clock",
      true,
      { requestedAt: after("-PT1H") },
      {},
    ],
  ])("%s", (_, may, withdrawal, asked) => {
    expect(mayBeOurs(op(asked), "ana@example.com", found(withdrawal))).toBe(may);
  });

  it("may be ours by its amount alone once our key was erased", () => {
    const ofAmount = (amount: number) =>
      mayBeOurs(op(), undefined, found({ amount: cents(amount) }));
    expect([ofAmount(5_000), ofAmount(5_001)]).toEqual([true, false]);
  });
});

type Row = Parameters<typeof mayBeOpId>[2];

it.each<[string, boolean, Partial<Row>, Partial<WithdrawOp>]>([
  ["of its amount and time", true, {}, {}],
  ["10 minutes late", true, { requestedAt: after("PT10M") }, {}],
  ["that comes later", false, { requestedAt: after("PT10M0.001S") }, {}],
  ["without a time", false, { requestedAt: undefined }, {}],
  ["without an amount", true, { amount: undefined }, {}],
  ["of its net amount", true, { amount: cents(4_650) }, {}],
  ["of its net amount at the other speed", true, { amount: cents(4_950) }, {}],
  ["of another amount", false, { amount: cents(5_001) }, {}],
  ["of any amount for a split", true, { amount: cents(77) }, { kind: "split_normal" }],
  ["listed before the request", false, { txid: "b" }, {}],
  ["listed before the request in another case", false, { txid: "B" }, {}],
  ["beside a list that was not read before", true, { txid: "b" }, { preTxids: undefined }],
  ["for another reader", false, {}, { ownerId: "somebody else" }],
])("a listed row %s may be the withdrawal in doubt: %s", (_, may, row, asked) => {
  const lock = sampleOp({ ...op(), ownerId: "reader", ...asked });
  const listed = { txid: "c", amount: cents(5_000), requestedAt: SENT, ...row };
  expect(mayBeOpId(lock, "reader", listed)).toBe(may ? lock.id : undefined);
});

it.each<[string, boolean, string, Partial<Parameters<typeof mayHaveRefunded>[0]>]>([
  ["5 seconds before the request", true, "-PT5S", {}],
  ["before that", false, "-PT5.001S", {}],
  ["a minute after the refusal, and what the clocks can tell", true, "PT1M5S", {}],
  ["after that", false, "PT1M5.001S", {}],
  ["before it by an unknown clock", true, "-PT5M", UNREAD],
  ["earlier than any clock", false, "-PT5M0.001S", UNREAD],
  ["after it by an unknown clock", true, "PT6M", UNREAD],
  ["later than any clock", false, "PT6M0.001S", UNREAD],
  ["beside it by a clock that is ahead", true, "PT6M", { skewMs: 300_000 }],
  ["until the last reading that found none", true, "PT1H5S", { state: "not_executed" }],
  ["after that reading", false, "PT1H5.001S", { state: "not_executed" }],
  ["three days after it", true, "PT72H5S", { state: "resolved_manual" }],
  ["later than three days", false, "PT72H5.001S", { state: "resolved_manual" }],
  ["when none was sent", false, "PT0S", { sentAt: undefined }],
])("a payment changed %s may be refunded by a denied refund: %s", (_, may, changed, given) => {
  const denied = { ...op(), state: "rejected", updatedAt: after("PT1H"), ...given } as const;
  expect(mayHaveRefunded(denied, after(changed))).toBe(may);
});

describe("a page of the list", () => {
  /** A page of rows with these request times, all known before. */
  const known = (...times: readonly string[]): [WithdrawalPage, Partial<Asked>] => {
    const rows = times.map((time, index) => [`TX${index}`, time] as const);
    return [page(...rows), { preTxids: rows.map(([txid]) => txid) }];
  };

  it.each<[string, boolean, WithdrawalPage, Partial<Asked>]>([
    ["proves it with a row of the snapshot", true, page(["x", "PT1M"], ["b", "-PT5M"]), {}],
    ["proves it with one in another case", true, page(["x", "PT1M"], ["B", "-PT5M"]), {}],
    ["S6: proves nothing undated, in whatever order", false, page(["x"], ["b"]), {}],
    ["S6: proves nothing with rows that only look old", false, page(["x", "-PT60M"]), {}],
    ["proves nothing with newer rows only", false, page(["x", "PT1M"], ["y", "-PT10M"]), {}],
    ["proves nothing with undated strangers", false, page(["x"], ["y"]), {}],
    ["proves it when it was and is empty", true, page(), { preTxids: [] }],
    ["proves nothing when it became empty", false, page(), {}],
    ["proves nothing without a snapshot", false, page(["x", "-PT60M"]), { preTxids: undefined }],
    ["proves nothing when nothing was sent", false, page(["b", "-PT5M"]), { sentAt: undefined }],
    ["proves nothing oldest first", false, page(["a", "-PT60M"], ["b", "-PT30M"]), {}],
    ["proves it newest first", true, ...known("-PT10M", "-PT20H", "-PT30H")],
    ["proves it newest first but for a moment", true, ...known("-PT10M5S", "-PT10M", "-PT30H")],
    [
      "proves nothing newest first but for longer",
      false,
      ...known("-PT10M5.001S", "-PT10M", "-PT30H"),
    ],
    [
      "S6: proves nothing with an undated row between",
      false,
      page(["a", "-PT10M"], ["c"], ["b", "-PT30H"]),
      { preTxids: ["a", "b", "c"] },
    ],
    ["proves nothing oldest first by a moment", false, ...known("-PT10M1S", "-PT10M")],
    [
      "proves nothing that ends newer than it began",
      false,
      ...known("-PT10M2S", "-PT10M3S", "-PT10M1S"),
    ],
    [
      "proves nothing in no order: the newest may be elsewhere",
      false,
      ...known("-PT10M", "-PT30H", "-PT20H"),
    ],
  ])("%s", (_, proves, listed, asked) => {
    expect(provesAbsence(listed, op(asked), [])).toBe(proves);
  });

  it("proves nothing of a split unless it is known to hold splits", () => {
    const listed = page(["x", "PT1M"], ["s", "-PT5M"], ["b", "-PT15M"]);
    for (const kind of ["split_normal", "split_turbo"] as const) {
      expect(provesAbsence(listed, op({ kind }), [])).toBe(false);
      expect(provesAbsence(listed, op({ kind }), ["other"])).toBe(false);
      expect(provesAbsence(listed, op({ kind }), ["s"])).toBe(true);
      expect(provesAbsence(listed, op({ kind }), ["S"])).toBe(true);
    }
  });
});

describe("the balance", () => {
  const word = (
    balance: number | undefined,
    passed = "PT1H",
    explained = 0,
    given: Partial<WithdrawOp> = {},
  ) =>
    compareBalance(
      { kind: "turbo", amount: cents(5_000), preBalance: cents(9_000), sentAt: SENT, ...given },
      balance === undefined ? undefined : cents(balance),
      explained,
      after(passed),
    );

  it.each<[string, BalanceChange, ...Parameters<typeof word>]>([
    ["stayed when it is as before", "stayed", 9_000],
    ["stayed when sales came in", "stayed", 10_000],
    ["fell by the amount", "fell", 4_000],
    ["fell by more", "fell", 0],
    ["may have fallen when sales came in after it", "unclear", 8_999],
    ["may have fallen when another withdrawal explains a part", "unclear", 3_000, "PT1H", 2_000],
    ["fell by more than another one explains", "fell", 2_000, "PT1H", 2_000],
    ["may precede the list at first", "unclear", 4_000, "PT4M59.999S"],
    ["fell once the list has followed", "fell", 4_000, "PT5M"],
    [
      "says nothing when it was not read before",
      "unclear",
      9_000,
      "PT1H",
      0,
      { preBalance: undefined },
    ],
    ["says nothing when it is not read now", "unclear", undefined],
    ["says nothing of a split", "unclear", 9_000, "PT1H", 0, { kind: "split_turbo" }],
    ["says nothing of no amount", "unclear", 9_000, "PT1H", 0, { amount: undefined }],
    ["says nothing when nothing was sent", "unclear", 9_000, "PT1H", 0, { sentAt: undefined }],
  ])("S6: %s", (_, expected, ...facts) => {
    expect(word(...facts)).toBe(expected);
  });
});

describe("readings without it", () => {
  type Code = WithdrawOp["errorCode"];
  const count = (passed: string, absences = 0, first?: string, errorCode?: Code) => {
    const firstAbsentAt = first === undefined ? undefined : after(first);
    const asked = { sentAt: SENT, absences, firstAbsentAt, kind: "turbo", errorCode } as const;
    const counted = countAbsence(asked, after(passed));
    return [counted.absences, counted.firstAbsentAt?.toString(), counted.concluded];
  };
  const FIRST = "2026-11-23T12:00:00Z";

  it.each<[string, ReturnType<typeof count>, ...Parameters<typeof count>]>([
    ["S6: do not count within 3 days", [0, undefined, false], "PT71H59M59.999S"],
    ["count from then on", [1, FIRST, false], "PT72H"],
    ["count once within 2 minutes", [1, FIRST, false], "PT72H1M59.999S", 1, "PT72H"],
    ["conclude 2 minutes apart", [2, FIRST, true], "PT72H2M", 1, "PT72H"],
    ["do not conclude by a clock set back", [1, FIRST, false], "PT71H", 1, "PT72H"],
    [
      "S6: never conclude once the balance fell",
      [1, FIRST, false],
      "PT100H",
      1,
      "PT72H",
      "balance_fell",
    ],
  ])("%s", (_, expected, ...reading) => {
    expect(count(...reading)).toEqual(expected);
  });

  it("count for nothing when nothing was sent", () => {
    const never = { sentAt: undefined, absences: 0, firstAbsentAt: undefined };
    expect(countAbsence(never, SENT)).toEqual({
      absences: 0,
      firstAbsentAt: undefined,
      concluded: false,
    });
  });
});

/**
 * Whether a reading counts, given the time since the request by our clock and the service's clock skew then and now.
 */
const counts = (passed: string, skewBefore?: number, skewNow?: number): boolean => {
  const op = { sentAt: SENT, skewMs: skewBefore, absences: 0, firstAbsentAt: undefined };
  return countAbsence(op, after(passed), skewNow).absences === 1;
};

it.each<[string, boolean, ...Parameters<typeof counts>]>([
  ["counts when both clocks say that three days passed", true, "PT72H", 0, 0],
  ["counts within what the header can tell", true, "PT72H", 2_000, -3_000],
  ["does not count beyond that", false, "PT72H", 2_000, -3_001],
  ["does not count when our clock went ahead", false, "PT72H5M", 0, -10 * 60_000],
  ["does not count by a process that is ahead", false, "PT72H", 20_000, -280_000],
  ["does not count when the service's clock went ahead", false, "PT71H55M", 0, 10 * 60_000],
  ["counts by our clock alone when the other was not read before", true, "PT72H", undefined, 0],
  ["counts by our clock alone when the other is not read now", true, "PT72H", 0],
])("an absence %s", (_, expected, ...reading) => {
  expect(counts(...reading)).toBe(expected);
});
