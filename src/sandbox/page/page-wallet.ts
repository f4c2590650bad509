import { MINUTE } from "../../shared/time.ts";
import { z } from "zod";
import { ANA, BRUNO, PEOPLE } from "../world.ts";
import type { LocalCharge } from "../wallet/charges.ts";
import type { ExecutedWithdrawal, MedOutcome } from "../wallet/wallet-controls.ts";
import type { PageSandbox } from "./page-view.ts";
import { isUnanswered, isUndecided, type Med } from "../wallet/meds.ts";
import type { WaitingFaults } from "../faults.ts";

const WITHDRAWALS_SHOWN = 6;

/** Faults that are armed for the next money request of any account. */
export type SharedTrouble = ReturnType<ReturnType<typeof createWalletActs>["trouble"]>;

/** The accounts of the two sellers, read from the wallet service itself. */
export const walletView = (
  { wallet, clock }: Pick<PageSandbox, "wallet" | "clock">,
  trouble: SharedTrouble,
) =>
  [ANA, BRUNO].map(({ id, displayName }) => ({
    personId: id,
    name: displayName,
    /** In reais, as all amounts of the page. */
    available: wallet.availableCents(id) / 100,
    /** Address that the service calls at each event; empty while it calls none. */
    webhook: wallet.webhooks.registered(id) ?? "",
    trouble: {
      ...trouble,
      // Of this account's next withdrawal and refund.
      fail: wallet.failuresWaiting(id) > 0,
      refuseRefund: wallet.nextRefund(id)?.kind === "refuse",
      lateRefund: wallet.nextRefund(id)?.kind === "late",
    },
    /** Since the demo started, newest first. */
    withdrawals: wallet.executed(id).toReversed().slice(0, WITHDRAWALS_SHOWN).map(pageWithdrawal),
    /** Sales through the API and charges, newest first. */
    payments: wallet.payments(id).slice(0, PAYMENTS_SHOWN).map(pagePayment),
    meds: medView(wallet.meds(id), clock.now()),
  }));

const PAYMENTS_SHOWN = 6;

const pagePayment = ({ txid, amountCents, description, code, state }: LocalCharge) => ({
  txid,
  amount: amountCents / 100,
  description,
  state,
  /** Whether it is a charge that a payer can pay. */
  canPay: state === "pending" && code !== "",
});

const pageWithdrawal = (withdrawal: ExecutedWithdrawal) => ({
  txid: withdrawal.txid,
  amount: withdrawal.amountCents / 100,
  turbo: withdrawal.turbo,
  source: withdrawal.source,
  /** Name of the split recipient; null for a withdrawal from the account's own balance. */
  recipient: PEOPLE.find(({ id }) => id === withdrawal.recipient)?.displayName ?? null,
  pixKey: withdrawal.pixKey,
  status: withdrawal.status,
  requestedAt: withdrawal.requestedAt.toString(),
  scheduledFor: withdrawal.scheduledFor?.toString() ?? null,
});

/** When a withdrawal or a MED next changes by itself; undefined if all are final. */
const nextWalletChange = ({
  wallet,
  clock,
}: Pick<PageSandbox, "wallet" | "clock">): Temporal.Instant | undefined =>
  [ANA, BRUNO]
    .flatMap(({ id }) => [
      wallet.nextMedChange(id),
      ...wallet.executed(id).flatMap(({ scheduledFor, end }) => [scheduledFor, end.at]),
    ])
    .filter((at) => at !== undefined)
    .filter((at) => Temporal.Instant.compare(at, clock.now()) > 0)
    .toSorted((a, b) => Temporal.Instant.compare(a, b))[0];

const MEDS_SHOWN = 6;

/** Undecided MEDs first; newest first within each group. */
const medView = (newestFirst: readonly Med[], now: Temporal.Instant) =>
  newestFirst
    .toSorted((a, b) => Number(isUndecided(b)) - Number(isUndecided(a)))
    .slice(0, MEDS_SHOWN)
    .map((med) => ({
      infractionId: med.infractionId,
      amount: med.amountCents / 100,
      state: stateOf(med, now),
      dueAt: med.dueAt.toString(),
      canAnswer: isUnanswered(med),
      /** Whether the bank can decide it and the payer can cancel it. */
      canDecide: isUndecided(med),
    }));

/** The bank's decision; before it the seller's answer; before that whether the deadline has passed. */
const stateOf = (med: Med, now: Temporal.Instant) => {
  if (!isUndecided(med))
    return med.analysisStatus === "pending" ? ("canceled" as const) : med.analysisStatus;
  const passed = Temporal.Instant.compare(med.dueAt, now) <= 0;
  return med.status === "pending" && passed ? ("overdue" as const) : med.status;
};

/** Longest delay of a timer; a longer delay would fire at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * Calls `changed` after each change of the wallet, whether caused by a request or by time. Returns a function that
 * stops it.
 */
export const watchWallet = (sandbox: PageSandbox, changed: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;

  const notify = (): void => {
    changed();
    clearTimeout(timer);
    const next = nextWalletChange(sandbox);
    if (next === undefined) return;
    const waitMs = next.epochMilliseconds - sandbox.clock.now().epochMilliseconds;
    timer = setTimeout(notify, Math.min(Math.max(waitMs, 0) + 1, LONGEST_WAIT_MS));
  };

  const leave = [sandbox.wallet.onChange(notify), sandbox.clock.onMove(notify)];
  return () => {
    clearTimeout(timer);
    for (const stop of leave) stop();
  };
};

const MONEY_ROUTES = [
  "POST /v1/withdraw",
  "POST /v1/split/withdraw",
  "POST /v1/withdraw/cancel",
  "POST /v1/refund",
];
const FAILURE = { reason: "Conta de destino encerrada.", code: "ACCOUNT_CLOSED" } as const;

const REFUND_PLANS = {
  refuse_refund: { kind: "refuse", message: "Prazo de estorno encerrado." },
  late_refund: { kind: "late", ms: 10 * MINUTE },
} as const;

/** Id of the seller who owns the account. */
const Owner = z.enum([ANA.id, BRUNO.id]);
const Reais = z.number().positive().max(100_000).multipleOf(0.01);

const MOST_SALES = 200;

/** Sales that payers make at once. */
export const Sale = z.object({
  owner: Owner,
  origin: z.enum(["api", "esales"]),
  reais: Reais,
  count: z.int().positive().max(MOST_SALES).default(1),
});

/** An action on the wallet service, made in the page without the bot. */
export const WalletAct = z.discriminatedUnion("kind", [
  /** Arms or disarms a fault for the next request that moves money. */
  z.object({ kind: z.enum(["lose_answer", "lose_request"]), on: z.boolean() }),
  /** Arms or disarms the failure of the account's next withdrawal, or the end of its next refund. */
  z.object({
    kind: z.enum(["fail", "refuse_refund", "late_refund"]),
    owner: Owner,
    on: z.boolean(),
  }),
  z.object({
    kind: z.literal("dashboard"),
    owner: Owner,
    reais: Reais,
    pixKey: z.string().max(100),
    turbo: z.boolean(),
  }),
  /** Registers the address that the service calls; an empty one ends the calls. */
  z.object({ kind: z.literal("webhook"), owner: Owner, address: z.string().max(400) }),
]);
export type WalletAct = z.infer<typeof WalletAct>;

export const createWalletActs = ({ faults, wallet }: PageSandbox) => {
  const waiting: Record<"lose_answer" | "lose_request", WaitingFaults | undefined> = {
    lose_answer: undefined,
    lose_request: undefined,
  };

  const lose = (kind: keyof typeof waiting, on: boolean): void => {
    waiting[kind]?.cancel();
    const at = kind === "lose_answer" ? "after" : "before";
    waiting[kind] = on ? faults.failNext(MONEY_ROUTES, { kind: "reset", at }) : undefined;
  };

  return {
    /** `refused`: the service's message for a refused withdrawal, else null. */
    perform: (act: WalletAct): { readonly refused: string | null } => {
      switch (act.kind) {
        case "fail":
          wallet.failNextWithdrawal(act.owner, undefined);
          if (act.on) wallet.failNextWithdrawal(act.owner, FAILURE);
          break;
        case "refuse_refund":
        case "late_refund":
          wallet.planNextRefund(act.owner, undefined);
          if (act.on) wallet.planNextRefund(act.owner, REFUND_PLANS[act.kind]);
          break;
        case "dashboard": {
          const { owner, reais, pixKey, turbo } = act;
          const order = { amountCents: Math.round(reais * 100), pixKey, turbo };
          const done = wallet.dashboardWithdraw(owner, order);
          if (done.kind === "refused") return { refused: done.message };
          break;
        }
        case "webhook":
          return { refused: registerWebhook(wallet, act.owner, act.address.trim()) };
        case "lose_answer":
        case "lose_request":
          lose(act.kind, act.on);
          break;
      }
      return { refused: null };
    },
    trouble: () => ({
      /** The request is carried out, but its answer is lost. */
      loseAnswer: (waiting.lose_answer?.left() ?? 0) > 0,
      /** The request is lost before it is carried out. */
      loseRequest: (waiting.lose_request?.left() ?? 0) > 0,
    }),
  };
};

const registerWebhook = (
  { webhooks }: PageSandbox["wallet"],
  owner: string,
  address: string,
): string | null => {
  try {
    webhooks.register(owner, address === "" ? undefined : address);
    return null;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
};

const LONGEST_HOURS = 30 * 24;
const ORIGINAL = { type: "api", product: "Plano VIP mensal" } as const;
const ANSWERS = {
  agreed: "Vendedor concorda com a devolução.",
  disagreed: "Produto entregue; comprovante de acesso enviado.",
} as const;

/** A payer pays a charge, its time is over, or its seller refunds it in the service's dashboard. */
export const ChargeAct = z.object({
  kind: z.enum(["pay", "expire", "refund"]),
  owner: Owner,
  txid: z.string().max(64),
});
export type ChargeAct = z.infer<typeof ChargeAct>;

/** Returns `refused` if the payment's state does not allow the act. */
export const performChargeAct = (
  { wallet }: Pick<PageSandbox, "wallet">,
  { kind, owner, txid }: ChargeAct,
): MedOutcome => {
  if (kind !== "refund")
    return (kind === "pay" ? wallet.payCharge : wallet.expireCharge)(owner, txid);
  const sale = wallet.payments(owner).find((each) => each.txid === txid);
  if (sale?.state !== "approved") return "refused";
  wallet.dashboardRefund(owner, txid);
  return "done";
};

const One = { owner: Owner, infractionId: z.string().max(64) };

/** An action on a MED: by its payer, by the seller in the service's dashboard, or by the bank. */
export const MedAct = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("open"),
    owner: Owner,
    reais: Reais,
    situation: z.enum(["FRAUDE", "ERRO"]),
    hours: z.number().positive().max(LONGEST_HOURS),
  }),
  z.object({ kind: z.literal("answer"), ...One, answer: z.enum(["agreed", "disagreed"]) }),
  z.object({ kind: z.literal("decide"), ...One, decision: z.enum(["accepted", "rejected"]) }),
  z.object({ kind: z.literal("cancel"), ...One }),
]);
export type MedAct = z.infer<typeof MedAct>;

/** Returns `refused` if the MED's state does not allow the action. */
export const performMedAct = ({ wallet }: Pick<PageSandbox, "wallet">, act: MedAct): MedOutcome => {
  switch (act.kind) {
    case "open":
      wallet.openMed(act.owner, {
        amountCents: Math.round(act.reais * 100),
        situationType: act.situation,
        hoursToAnswer: act.hours,
        original: ORIGINAL,
      });
      return "done";
    case "answer": {
      const { owner, infractionId, answer } = act;
      return wallet.answerMed(owner, infractionId, { status: answer, text: ANSWERS[answer] });
    }
    case "decide":
      return wallet.decideMed(act.owner, act.infractionId, act.decision);
    case "cancel":
      return wallet.cancelMed(act.owner, act.infractionId);
    default:
      return act satisfies never;
  }
};
