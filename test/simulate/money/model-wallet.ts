import type {
  AcceptedWithdrawal,
  MoneyAnswer,
  WithdrawAnswer,
} from "#src/withdrawals/withdrawal.ts";
import type { WalletKey } from "#src/accounts/wallet-key.ts";
import type { MoneyWallet } from "#src/withdrawals/money-services.service.ts";
import { SECOND } from "#src/shared/time.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import { DEFAULT_LIMITS } from "#src/wallet/limits.ts";
import { createPacer } from "#src/wallet/pacing.ts";
import type { Dice } from "../dice.ts";
import type { Judge, Known } from "./judge.ts";
import { answerOf, effectDelayMs, isCarriedOut, REFUSED } from "./money-fate.ts";
import type { Asked, TrueWithdrawal, Truth } from "./truth.ts";
import type { VirtualTime } from "../virtual-time.ts";
import type { Fate, Weather } from "./weather.ts";
import { acceptedOf, detailOf, onlyTxid, transactionOf } from "./wire-forms.ts";

export interface ModelNeeds {
  readonly truth: Truth;
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly weather: Weather;
  readonly judge: Judge;
  readonly accountOf: (key: WalletKey) => string;
  readonly note: (text: string) => void;
  /** The operation being sent, as committed in the journal. */
  readonly sending: (account: string, matches: (known: Known) => boolean) => Known | undefined;
}

const PAGE = 5;
/** The client's pace for withdrawals, per process. */
const WITHDRAWAL_PACE = { perMinute: 60 / 31, burst: 2, backgroundHeadroom: 0 };
const LONGEST_WAIT_MS = DEFAULT_LIMITS.longestWaitMs.money;
const LATEST_TURN_MS = SECOND;

/** The wallet service and client of one process: the documented rules on the true ledger, with all faults. */
export const createModelWallet = (
  needs: ModelNeeds,
  { name: owner, isAlive }: { readonly name: string; readonly isAlive: () => boolean },
): MoneyWallet => {
  const { truth, time, dice, weather, judge } = needs;
  const { bounds } = truth.terms;
  const pacer = createPacer(WITHDRAWAL_PACE, { now: time.nowMs, after: time.after });
  const theirs = (ms: number): Temporal.Instant =>
    Temporal.Instant.fromEpochMilliseconds(ms + bounds.skewMs);

  const fail = (kind: WalletErrorKind): never => {
    throw new WalletError({ kind, method: "GET", route: "/v1/simulated" });
  };
  const read = async <Answer>(
    what: Parameters<Weather["fails"]>[0],
    answer: () => Answer,
  ): Promise<Answer> => {
    const latencyMs = weather.latencyMs();
    await time.sleep(latencyMs / 2);
    if (weather.fails(what, time.nowMs())) {
      await time.sleep(latencyMs / 2);
      return fail(
        dice.pick(["unavailable", "timeout", "malformed", "unreachable", "rate_limited"]),
      );
    }
    const answered = answer();
    await time.sleep(latencyMs / 2);
    return answered;
  };

  const rowOf = (key: WalletKey, txid: string): TrueWithdrawal => {
    const row = truth.rows.get(txid);
    return row?.account === needs.accountOf(key) ? row : fail("not_found");
  };

  /** One request that moves money. After leaving the process it proceeds even when the process dies. */
  const send = async <Accepted>(
    account: string,
    known: Known | undefined,
    carryOut: (fate: Fate) => (() => MoneyAnswer<Accepted>) | typeof REFUSED,
  ): Promise<MoneyAnswer<Accepted>> => {
    const beganMs = time.nowMs();
    const refused = (await pacer.take(account, "money", LONGEST_WAIT_MS)) > 0;
    await time.sleep(weather.holdMs());
    // The client, like the services, drops a request that was delayed too long.
    if (refused || time.nowMs() - beganMs > LONGEST_WAIT_MS + LATEST_TURN_MS) {
      return answerOf("not_sent", undefined, dice);
    }
    // A process that died while waiting sends nothing more; requests already sent proceed.
    if (!isAlive()) return await new Promise<never>(() => {});
    const fate = weather.fate(time.nowMs());
    needs.note(`${known?.op.id ?? "nobody"} is sent by ${owner}: ${fate}`);
    if (fate !== "not_sent") judge.onPost(account, known, owner);
    await time.sleep(weather.latencyMs() / 2);
    if (fate === "not_sent") return answerOf(fate, undefined, dice);
    const outcome = Promise.withResolvers<
      (() => MoneyAnswer<Accepted>) | typeof REFUSED | undefined
    >();
    const effect = (): void => {
      if (known !== undefined && fate === "refused_after") known.falselyRefused = true;
      outcome.resolve(isCarriedOut(fate) ? carryOut(fate) : undefined);
      if (known !== undefined) judge.onExecuted(known);
    };
    const delayMs = effectDelayMs(fate, dice, bounds.latestMs);
    if (fate === "late") {
      time.after(delayMs, effect);
      await time.sleep(30 * SECOND);
      return answerOf(fate, undefined, dice);
    }
    await time.sleep(delayMs);
    effect();
    const done = await outcome.promise;
    await time.sleep(fate.startsWith("timeout") ? 30 * SECOND : weather.latencyMs() / 2);
    return answerOf(fate, done, dice);
  };

  const place = (asked: Omit<Asked, "opId">): Promise<WithdrawAnswer> => {
    const known = needs.sending(
      asked.account,
      ({ op, pixKey }) =>
        op.kind !== "cancel" && op.amount === asked.amount && pixKey === asked.pixKey,
    );
    return send<AcceptedWithdrawal>(asked.account, known, (fate) => {
      const row = truth.place({ ...asked, opId: known?.op.id ?? "nobody" });
      if (typeof row === "string") return REFUSED;
      const said = fate === "answered_barely" ? onlyTxid(row) : acceptedOf(row, theirs);
      return () => ({ state: "accepted", httpStatus: 200, requestId: undefined, value: said });
    });
  };

  return {
    balance: (key) => read("balance", () => ({ available: truth.available(needs.accountOf(key)) })),
    withdrawals: async (key, priority) => {
      if (priority === "money") judge.onLastLook(needs.accountOf(key));
      return await read("withdrawals", () => ({
        items: bounds
          .listed(
            truth
              .ofAccount(needs.accountOf(key))
              .filter(({ txid }) => weather.splitListed || !txid.startsWith("SW"))
              .filter(({ requestedMs }) => requestedMs + bounds.listLagMs <= time.nowMs()),
          )
          .slice(0, PAGE)
          .map((row) => ({
            txid: row.txid,
            requestedAt: weather.dated ? theirs(row.requestedMs) : undefined,
            amount: row.amount,
            status: row.status,
          })),
        skewMs: weather.measuresSkew
          ? bounds.skewMs - time.aheadMs() + dice.between(-1_000, 1_000)
          : undefined,
      }));
    },
    withdrawal: (key, txid) =>
      read("withdrawal", () => {
        const row = rowOf(key, txid);
        if (txid.startsWith("SW") && !weather.splitReadable) return fail("not_found");
        judge.onShown(row);
        return detailOf(row, theirs, bounds.shownKey);
      }),
    transaction: (key, txid) =>
      read("transaction", () => {
        const row = rowOf(key, txid);
        return transactionOf(row, theirs);
      }),
    disputeSummary: () => Promise.reject(new Error("Nobody asks for disputes here")),
    disputes: () => Promise.resolve({ items: [], unnamed: 0, isWhole: true }),
    dispute: () => Promise.reject(new Error("Nobody asks for disputes here")),
    refund: () => Promise.reject(new Error("Nobody asks for refunds here")),
    refundTurn: () => Promise.reject(new Error("Nobody asks for refunds here")),
    checkPixKey: () =>
      read("checkPixKey", () => ({ valid: undefined, holderName: undefined, bankName: undefined })),
    withdraw: (key, { amount, pixKey, turbo }) =>
      place({ account: needs.accountOf(key), pixKey, turbo, amount }),
    splitWithdraw: (key, { pixKey, turbo }) =>
      place({ account: needs.accountOf(key), pixKey, turbo, amount: undefined }),
    cancelWithdrawal: (key, txid) => {
      const account = needs.accountOf(key);
      const known = needs.sending(account, ({ op }) => op.targetTxid === txid);
      return send<undefined>(account, known, () => {
        if (!truth.cancel(account, txid, known?.op.id ?? "nobody")) return REFUSED;
        if (known !== undefined) known.cancelled++;
        return () => ({
          state: "accepted",
          value: undefined,
          httpStatus: 200,
          requestId: undefined,
        });
      });
    },
  };
};
