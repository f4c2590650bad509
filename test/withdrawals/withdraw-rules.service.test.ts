import { describe, expect, it } from "vitest";
import { guardsInForce } from "#src/money-guards/money-guards.ts";
import type { WithdrawKind, WithdrawOp, WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import {
  busyError,
  lateRefusal,
  mayDecideFor,
  requireUnderCap,
  wasSentMeanwhile,
} from "#src/withdrawals/withdraw-rules.service.ts";
import { cents } from "#src/shared/money.ts";
import { sampleAccount } from "../support/samples.ts";
import { moved, newOp, opIn, stepTo } from "./withdraw-builders.ts";
import { sampleOp } from "./withdraw-samples.ts";
import { actor, ANA, BRUNO, openMoneyStage } from "./money-stage.ts";

const SHOWN = Temporal.Instant.from("2026-11-20T15:00Z");

interface Other {
  readonly accountFp: string;
  readonly kind: WithdrawKind;
  readonly state: WithdrawState;
  readonly sentAt: Temporal.Instant;
}
/** Another operation of Ana's, of R$ 50. */
const other = (state: WithdrawState, given: Partial<Other> = {}): Other => ({
  accountFp: "elsewhere",
  kind: "turbo",
  state,
  sentAt: SHOWN,
  ...given,
});
const HERE = { accountFp: "here", amount: cents(5_000) } as const;

interface Setting {
  readonly kind?: WithdrawKind;
  readonly cap?: number;
  readonly locked?: boolean;
  readonly others?: readonly Other[];
  /** Of the same account, sent after the confirmation was shown. */
  readonly meanwhile?: readonly WithdrawState[];
}

/** The second check of an order of R$ 50, after its confirmation. */
const refusalOf = async (setting: Setting) => {
  const { kind = "turbo", cap, locked, others = [], meanwhile = [] } = setting;
  const { money, needs } = await openMoneyStage();
  const kept = async ({ state, sentAt, ...given }: Other) => {
    const targetTxid = given.kind === "cancel" ? "TX1" : undefined;
    const op = { ...given, amount: cents(5_000), targetTxid };
    return await opIn(needs.journal, state, op, {}, sentAt);
  };
  for (const each of others) await kept(each);
  const targetTxid = kind === "cancel" ? "TX1" : undefined;
  const draft = await needs.journal.draft(newOp({ ...HERE, kind, targetTxid }), SHOWN);
  for (const state of meanwhile) await kept(other(state, { accountFp: "here" }));
  const op = await moved(needs.journal, draft, stepTo("confirmed"), SHOWN);
  if (cap !== undefined) await money.guards.setDailyCap(actor(), cents(cap));
  if (locked) await money.guards.lock(actor());
  return await lateRefusal(needs, op);
};

describe("S8: the last look before the request", () => {
  it.each<[string, string | undefined, Setting]>([
    ["lets it go without a cap", undefined, { others: [other("confirmed")] }],
    ["lets it go up to the cap", undefined, { cap: 5_000 }],
    ["stops it above the cap", "daily_cap", { cap: 4_999 }],
    ["lets two go that are within it", undefined, { cap: 10_000, others: [other("confirmed")] }],
    ["counts one about to be sent", "daily_cap", { cap: 9_999, others: [other("confirmed")] }],
    ["counts what was sent", "daily_cap", { cap: 9_999, others: [other("accepted")] }],
    ["does not count what was refused", undefined, { cap: 5_000, others: [other("rejected")] }],
    [
      "does not count a cancellation",
      undefined,
      { cap: 5_000, others: [other("confirmed", { kind: "cancel" })] },
    ],
    ["stops a split under any cap", "daily_cap", { kind: "split_turbo", cap: 99_999 }],
    ["lets a split go without a cap", undefined, { kind: "split_turbo" }],
    ["stops it after another one", "sent_meanwhile", { meanwhile: ["accepted"] }],
    ["lets it go after one that was refused", undefined, { meanwhile: ["rejected"] }],
    [
      "lets it go after one that was shown",
      undefined,
      { others: [other("accepted", { accountFp: "here" })] },
    ],
    ["stops it under the lock", "money_locked", { locked: true }],
    [
      "lets a cancellation go, which moves no money out",
      undefined,
      { kind: "cancel", locked: true, cap: 1_000, meanwhile: ["accepted"] },
    ],
  ])("%s", async (_, expected, setting) => {
    expect(await refusalOf(setting)).toBe(expected);
  });
});

it("S8: nothing is sent meanwhile for a cancellation", async () => {
  const { needs } = await openMoneyStage();
  const op = await needs.journal.draft(newOp({ accountFp: "here" }), SHOWN);
  await opIn(needs.journal, "accepted", { accountFp: "here" }, {}, SHOWN);
  const was = (kind: WithdrawKind) => wasSentMeanwhile(needs, { ...op, kind });
  expect([await was("turbo"), await was("cancel")]).toEqual([true, false]);
});

it.each<[string | undefined, string, Partial<WithdrawOp> | undefined]>([
  ["W-7K2Q9", "unknown", { state: "unknown" }],
  ["W-7K2Q9", "manual", { state: "manual" }],
  ["W-7K2Q9", "in_progress", { state: "sending" }],
  [undefined, "in_progress", undefined],
  [undefined, "unknown", { state: "unknown", ownerId: "somebody else" }],
])("S8: names %s, and %s, as why an account is busy", async (opId, why, lock) => {
  const op = lock && sampleOp({ ownerId: ANA, ...lock });
  const { reason } = await busyError({ connectionsOf: async () => [] }, op, ANA);
  expect(reason).toEqual({ kind: "account_busy", opId, why });
});

const KEYS = {
  bruno: { ownerId: BRUNO, pausedAt: undefined },
  refused: { ownerId: BRUNO, pausedAt: SHOWN },
  ana: { ownerId: ANA, pausedAt: undefined },
  anaRefused: { ownerId: ANA, pausedAt: SHOWN },
  other: { ownerId: "u-other", pausedAt: undefined },
} as const;

it.each<[boolean, Partial<WithdrawOp>, readonly (keyof typeof KEYS)[]]>([
  [true, {}, ["bruno"]],
  [true, {}, ["refused", "bruno"]],
  [true, { kind: "split_turbo" }, ["bruno"]],
  [false, {}, []],
  [false, {}, ["refused"]],
  [false, {}, ["refused", "other"]],
  [false, {}, ["bruno", "ana"]],
  [false, {}, ["bruno", "anaRefused"]],
  [false, { ownerId: BRUNO }, ["bruno"]],
  [false, { state: "unknown" }, ["bruno"]],
  [false, { state: "resolved_manual" }, ["bruno"]],
  [false, { txid: "TX1" }, ["bruno"]],
  [false, { kind: "refund" }, ["bruno"]],
])("another person may decide in an owner's stead (%s): %j, keys %j", async (may, given, keys) => {
  const op = sampleOp({ ownerId: ANA, state: "manual", ...given });
  const connectionsOf = async () => keys.map((name) => sampleAccount(KEYS[name]));
  expect(await mayDecideFor({ connectionsOf }, op, BRUNO)).toBe(may);
});

it("what has no amount is under every cap", async () => {
  const { needs } = await openMoneyStage();
  const guards = { ...guardsInForce(undefined, ANA, SHOWN), dailyCap: cents(1_000) };
  await expect(requireUnderCap(needs, guards, { amount: undefined })).resolves.toBeUndefined();
});
