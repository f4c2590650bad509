import type {
  CancelAnswer,
  SplitWithdrawRequest,
  Withdrawal,
  WithdrawAnswer,
  WithdrawRequest,
} from "#src/withdrawals/withdrawal.ts";
import type { MoneyWallet } from "#src/withdrawals/money-services.service.ts";
import type { Dispute } from "#src/disputes/dispute.ts";
import type { Clock } from "#src/shared/time.ts";
import type { Priority } from "#src/accounts/wallet-key.ts";
import type { Transaction } from "#src/transactions/transaction.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";

export type Sent =
  | WithdrawRequest
  | SplitWithdrawRequest
  | { readonly cancelled: string }
  | { readonly refunded: string };

/** A scripted wallet service of one account. By default it executes each request. */
export interface PlainWallet {
  readonly wallet: MoneyWallet;
  /** Requests that move money, including failed ones. */
  readonly sent: Sent[];
  /** Readings of account, payments and disputes, each as its name and priority. */
  readonly reads: string[];
  readonly executed: Map<string, Withdrawal>;
  readonly payments: Map<string, Transaction>;
  /** Disputes that the service lists. */
  readonly disputes: Map<string, Dispute>;
  /** A proxy's page stands for an answer that is not the service's. */
  readonly failing: Map<keyof MoneyWallet, WalletErrorKind | "proxy_page">;
  /** Rows on the list's only page, newest first. */
  pageSize: number;
  /** The service's clock minus ours. */
  skewMs: number | undefined;
  available: number;
  validKey: boolean | undefined;
  /** Runs while a refund waits for its turn. */
  onTurn: () => Promise<void> | void;
  /** Runs when a request arrives, before its effect. */
  onRequest: () => Promise<void> | void;
  /** The answer after the effect; by default the true one. */
  answer: WithdrawAnswer | CancelAnswer | Error | undefined;
  works: boolean;
  /** Adds a withdrawal by another person, or an earlier one. */
  readonly add: (changes?: Partial<Withdrawal>) => Withdrawal;
  readonly become: (txid: string, changes: Partial<Withdrawal>) => void;
}

export const LOST: WithdrawAnswer = {
  state: "unknown",
  errorCode: "timeout",
  httpStatus: undefined,
  requestId: undefined,
};

/** A refusal in the service's documented envelope. */
export const REFUSED = {
  state: "rejected",
  reason: "refused",
  httpStatus: 200,
  requestId: undefined,
  message: "Não.",
  retryAfterMs: undefined,
  shortfall: undefined,
} as const satisfies CancelAnswer;

export const NOT_SENT = {
  state: "not_sent",
  reason: "unreachable",
  errorCode: "ECONNREFUSED",
  retryAfterMs: undefined,
} as const satisfies CancelAnswer;

export const failure = (kind: WalletErrorKind | "proxy_page"): WalletError => {
  const facts = { method: "GET", route: "/v1/test", requestId: `req_${kind}` } as const;
  return kind === "proxy_page"
    ? new WalletError({ ...facts, kind: "malformed", isForeign: true })
    : new WalletError({ ...facts, kind });
};

const isTurbo = (turbo: boolean) => ({
  isTurbo: turbo,
  modality: turbo ? "turbo" : "normal",
  fee: cents(turbo ? 350 : 50),
});

/** What the service need not say of a withdrawal that is under way. */
export const UNTOLD = {
  bankName: undefined,
  accountHolder: undefined,
  transferId: undefined,
  completedAt: undefined,
  failedAt: undefined,
  failReason: undefined,
  errorCode: undefined,
  processor: undefined,
} as const;

export const createPlainWallet = (clock: Clock): PlainWallet => {
  const executed = new Map<string, Withdrawal>();
  let count = 0;

  const add: PlainWallet["add"] = (changes = {}) => {
    const now = clock.now();
    const txid = changes.txid ?? `TX${String(++count).padStart(4, "0")}`;
    const amount = changes.amount ?? cents(5_000);
    const speed = isTurbo(changes.isTurbo ?? true);
    const withdrawal: Withdrawal = {
      txid,
      amount,
      ...speed,
      net: cents(amount - speed.fee),
      status: speed.isTurbo ? "processing" : "scheduled",
      pixKey: "bruno@example.com",
      pixKeyType: "EMAIL",
      ...UNTOLD,
      requestedAt: now,
      scheduledFor: speed.isTurbo ? undefined : now.add({ hours: 20 }),
      createdAt: now,
      updatedAt: now,
      ...changes,
    };
    executed.set(txid, withdrawal);
    return withdrawal;
  };

  const detailOf = (txid: string): Transaction => {
    const payment = plain.payments.get(txid);
    if (payment !== undefined) return payment;
    const { amount, fee, net, status } = found(txid);
    const said = status === "completed" ? "approved" : status;
    const now = clock.now();
    const unsaid = {
      description: undefined,
      redirectUrl: undefined,
      providerId: undefined,
      payer: undefined,
      withdrawal: undefined,
    };
    const dates = { createdAt: now, updatedAt: now };
    const kind = { type: "withdrawal", modality: "turbo" } as const;
    return { txid, amount, fee, net, ...kind, status: said, ...unsaid, ...dates };
  };

  const read = async <Value>(
    name: keyof MoneyWallet,
    priority: Priority,
    value: () => Value,
  ): Promise<Value> => {
    plain.reads.push(`${name} ${priority}`);
    const kind = plain.failing.get(name);
    if (kind !== undefined) throw failure(kind);
    return value();
  };

  const found = (txid: string): Withdrawal => {
    const withdrawal = executed.get(txid);
    if (withdrawal === undefined) throw failure("not_found");
    return withdrawal;
  };

  const post = async (request: Sent, carryOut: () => Withdrawal): Promise<WithdrawAnswer> => {
    plain.sent.push(request);
    await plain.onRequest();
    const done = plain.works ? carryOut() : undefined;
    if (plain.answer instanceof Error) throw plain.answer;
    if (plain.answer !== undefined) return plain.answer as WithdrawAnswer;
    if (done === undefined) return LOST;
    const unsaid = {
      pixKeyOwner: undefined,
      previousBalance: cents(9_000),
      newBalance: cents(0),
    };
    return {
      state: "accepted",
      value: { ...unsaid, ...done, estimatedProcessingAt: done.scheduledFor },
      httpStatus: 200,
      requestId: "req-1",
    };
  };

  const plain: PlainWallet = {
    sent: [],
    reads: [],
    executed,
    payments: new Map(),
    disputes: new Map(),
    failing: new Map(),
    pageSize: 50,
    skewMs: 0,
    available: 100_000,
    validKey: undefined,
    onTurn: () => {},
    onRequest: () => {},
    answer: undefined,
    works: true,
    add,
    become: (txid, changes) => void executed.set(txid, { ...found(txid), ...changes }),
    wallet: {
      balance: (_, priority) =>
        read("balance", priority, () => ({ available: cents(plain.available) })),
      withdrawals: (_, priority) =>
        read("withdrawals", priority, () => ({
          items: [...executed.values()].toReversed().slice(0, plain.pageSize),
          skewMs: plain.skewMs,
        })),
      withdrawal: (_, txid, priority) => read("withdrawal", priority, () => found(txid)),
      transaction: (_, txid, priority) => read("transaction", priority, () => detailOf(txid)),
      disputes: (_, priority) =>
        read("disputes", priority, () => ({
          items: [...plain.disputes.values()],
          unnamed: 0,
          isWhole: true,
        })),
      dispute: (_, infractionId, priority) =>
        read("dispute", priority, () => {
          const dispute = plain.disputes.get(infractionId);
          if (dispute === undefined) throw failure("not_found");
          return dispute;
        }),
      disputeSummary: (_, priority) =>
        read("disputeSummary", priority, () => ({
          byStatus: { pending: 1, agreed: 0, disagreed: 0, canceled: 0, total: 1 },
          byAnalysis: { pending: 1, accepted: 0, rejected: 0 },
          frozen: cents(700),
          lost: cents(0),
        })),
      checkPixKey: (_, _given, priority) =>
        read("checkPixKey", priority, () => ({
          valid: plain.validKey,
          holderName: "Bruno",
          bankName: undefined,
        })),
      withdraw: (_, request) => post(request, () => add({ ...request, ...isTurbo(request.turbo) })),
      splitWithdraw: (_, request) =>
        post(request, () =>
          add({ pixKey: request.pixKey, amount: cents(9_000), ...isTurbo(request.turbo) }),
        ),
      cancelWithdrawal: async (_, txid) => {
        plain.sent.push({ cancelled: txid });
        await plain.onRequest();
        if (plain.works) plain.become(txid, { status: "cancelled" });
        if (plain.answer instanceof Error) throw plain.answer;
        const done = { value: undefined, httpStatus: 200, requestId: undefined };
        return (plain.answer as CancelAnswer | undefined) ?? { state: "accepted", ...done };
      },
      refundTurn: async () => await plain.onTurn(),
      refund: async (_, txid) => {
        plain.sent.push({ refunded: txid });
        await plain.onRequest();
        const payment = plain.payments.get(txid);
        if (plain.works && payment !== undefined)
          plain.payments.set(txid, { ...payment, status: "refunded", updatedAt: clock.now() });
        if (plain.answer instanceof Error) throw plain.answer;
        const done = { value: undefined, httpStatus: 200, requestId: undefined };
        return (plain.answer as CancelAnswer | undefined) ?? { state: "accepted", ...done };
      },
    },
  };
  return plain;
};
