import { createHash } from "node:crypto";
import type { Clock } from "../../shared/time.ts";
import { chargeState, type LocalCharge, localCharge } from "./charges.ts";
import { availableCents, type Merchant, type WithdrawalFailure } from "./merchant.ts";
import type { Sale, SaleOrigin } from "./sale-ledger.ts";
import { type AccountParts, createRefundControls } from "./refunds.ts";
import type { WalletSettings } from "./wallet-settings.ts";
import { withdrawOwn } from "./withdraw.ts";
import {
  type Withdrawal,
  type WithdrawalSource,
  withdrawalStatus,
  type WithdrawalStatus,
} from "./withdrawals.ts";
import { isUnanswered, isUndecided, type Med, medsOf, openedMed } from "./meds.ts";

interface NewSale {
  /** User id of the account that sells. */
  readonly owner: string;
  readonly origin: SaleOrigin;
  readonly reais: number;
  /** Now by default. */
  readonly at?: Temporal.Instant;
  readonly product?: string;
  readonly payerName?: string;
}

/** A withdrawal made since the sandbox started, even if its answer was lost. */
export interface ExecutedWithdrawal extends Omit<Withdrawal, "source" | "pixKeyType"> {
  readonly source: Exclude<WithdrawalSource, "history">;
  /** Status by the wallet's present time. */
  readonly status: WithdrawalStatus;
}

interface WalletControlParts {
  readonly clock: Clock;
  readonly settings: Readonly<WalletSettings>;
  readonly merchants: () => readonly Merchant[];
  readonly changed: () => void;
}

/** Controls of people and tests, outside the wallet's API. @throws RangeError when the owner has no account */
export const createWalletControls = (parts: WalletControlParts) => {
  const { clock, settings, changed } = parts;
  let sold = 0;

  const accountOf = (ownerId: string): Merchant => {
    const merchant = parts.merchants().find((each) => each.userId === ownerId);
    if (merchant === undefined)
      throw new RangeError(`No account of ${ownerId} in the local wallet`);
    return merchant;
  };

  const shown = (sales: readonly Sale[]): readonly LocalCharge[] =>
    sales.map((sale) => localCharge(sale, clock.now()));

  const changeCharge = (
    ownerId: string,
    id: string,
    changed: (charge: Sale) => Sale,
  ): MedOutcome => {
    const { sales } = accountOf(ownerId);
    const sale = sales.charges().find(({ txid }) => txid === id);
    if (sale === undefined || chargeState(sale, clock.now()) !== "pending") return "refused";
    sales.replace(changed(sale));
    parts.changed();
    return "done";
  };

  const sell = ({ owner, origin, reais, at, product, payerName }: NewSale): string => {
    const merchant = accountOf(owner);
    const txid = `venda${String(++sold).padStart(19, "0")}`;
    merchant.sales.add({
      txid,
      origin,
      amountCents: Math.round(reais * 100),
      product: product ?? "Venda avulsa",
      at: at ?? clock.now(),
      status: "approved",
      ...(payerName !== undefined && { payerName }),
    });
    return txid;
  };

  return {
    /** Charges of the account since the sandbox started, oldest first. */
    charges: (ownerId: string): readonly LocalCharge[] => shown(accountOf(ownerId).sales.charges()),
    /** Payments of the account through the API, newest first. */
    payments: (ownerId: string): readonly LocalCharge[] =>
      shown(
        accountOf(ownerId)
          .sales.all(clock.now())
          .filter(({ origin }) => origin === "api"),
      ),
    /** A payer pays an open charge. `refused`: it is not open. */
    payCharge: (ownerId: string, id: string): MedOutcome =>
      changeCharge(ownerId, id, (sale) => ({ ...sale, status: "approved", at: clock.now() })),
    /** The time of an open charge is over now. */
    expireCharge: (ownerId: string, id: string): MedOutcome =>
      changeCharge(ownerId, id, (sale) => ({
        ...sale,
        ...(sale.charge && { charge: { ...sale.charge, expiresAt: clock.now() } }),
      })),
    ...createMedControls({ clock, accountOf, changed }),
    ...createRefundControls({ clock, accountOf, changed }),
    /** Records an approved sale; gives its txid. */
    sale: (sale: NewSale): string => {
      const txid = sell(sale);
      changed();
      return txid;
    },
    /** Records that many approved sales at once; gives their txids. */
    sales: (sale: NewSale, count: number): readonly string[] => {
      const txids = Array.from({ length: count }, () => sell(sale));
      changed();
      return txids;
    },
    /** A withdrawal by a person in the service's own dashboard, under the same rules; `message`: the service's own words. */
    dashboardWithdraw: (
      ownerId: string,
      asked: Pick<Withdrawal, "amountCents" | "pixKey" | "turbo">,
    ) => {
      const order = { ...asked, source: "dashboard", recipient: undefined, asked } as const;
      const placed = withdrawOwn(accountOf(ownerId), order, settings, clock.now());
      if (placed.kind === "refused") {
        const { message } = placed.answer.body as { readonly message: string };
        return { kind: "refused", message } as const;
      }
      changed();
      return { kind: "accepted", txid: placed.withdrawal.txid } as const;
    },
    /** Makes the account's next accepted withdrawal end as failed; undefined cancels all failures that wait. */
    failNextWithdrawal: (ownerId: string, failure: WithdrawalFailure | undefined): void => {
      const { failures } = accountOf(ownerId);
      if (failure === undefined) failures.length = 0;
      else failures.push(failure);
      changed();
    },
    /** How many of the account's next withdrawals will fail. */
    failuresWaiting: (ownerId: string): number => accountOf(ownerId).failures.length,
    /** The ground truth: all withdrawals of the account since the sandbox started, oldest first. */
    executed: (ownerId: string): readonly ExecutedWithdrawal[] =>
      accountOf(ownerId).withdrawals.flatMap((each) => executedOf(each, clock)),
    /** The balance that the account can withdraw now, in centavos. */
    availableCents: (ownerId: string): number => availableCents(accountOf(ownerId), clock.now()),
  };
};

const executedOf = (withdrawal: Withdrawal, clock: Clock): readonly ExecutedWithdrawal[] => {
  const { source, pixKeyType: _type, ...rest } = withdrawal;
  if (source === "history") return [];
  return [{ ...rest, source, status: withdrawalStatus(withdrawal, clock.now()) }];
};

export interface NewMed {
  readonly amountCents: number;
  readonly situationType: Med["situationType"];
  /** Hours until the deadline of the seller's answer; may be fractional, or negative for a passed deadline. */
  readonly hoursToAnswer: number;
  /** The contested payment as the service shows it; undefined when the service does not find it. */
  readonly original: Med["original"];
  /** Id of the contested payment; an id without a sale by default. */
  readonly txid?: string;
}

interface MedAnswer {
  readonly status: "agreed" | "disagreed";
  readonly text: string;
}

/** `refused`: the state of the MED or the charge does not allow it, or there is none with that id. */
export type MedOutcome = "done" | "refused";

/** Acts of payers, sellers and the bank on MEDs. @throws RangeError when the owner has no account */
const createMedControls = ({ clock, accountOf, changed }: AccountParts) => {
  const change = (
    ownerId: string,
    id: string,
    allowed: (med: Med) => boolean,
    changes: Partial<Med>,
  ): MedOutcome => {
    const { meds } = accountOf(ownerId);
    const place = meds.findIndex(({ infractionId }) => infractionId === id);
    const med = meds[place];
    if (med === undefined || !allowed(med)) return "refused";
    meds[place] = { ...med, ...changes };
    changed();
    return "done";
  };

  return {
    /** A payer contests a payment, and its net leaves the balance; returns the infraction id. */
    openMed: (ownerId: string, { hoursToAnswer, txid, ...parts }: NewMed): string => {
      const { userId, meds } = accountOf(ownerId);
      const now = clock.now();
      const digest = createHash("sha256")
        .update(`${userId}|${now.epochMilliseconds}|${meds.length}`)
        .digest("hex");
      const infractionId = asUuid(digest);
      const dueAt = now.add({ seconds: Math.round(hoursToAnswer * 3_600) });
      meds.push(
        openedMed({
          ...parts,
          infractionId,
          txid: txid ?? digest.slice(-24),
          openedAt: now,
          dueAt,
        }),
      );
      changed();
      return infractionId;
    },
    /** The seller answers in the service's dashboard, also after the deadline until the bank decides: an assumption. */
    answerMed: (ownerId: string, id: string, { status, text }: MedAnswer): MedOutcome =>
      change(ownerId, id, isUnanswered, { status, answer: { at: clock.now(), text } }),
    /** The bank decides, with or without an answer of the seller. */
    decideMed: (ownerId: string, id: string, analysisStatus: "accepted" | "rejected"): MedOutcome =>
      change(ownerId, id, isUndecided, { analysisStatus, resolvedAt: clock.now() }),
    cancelMed: (ownerId: string, id: string): MedOutcome =>
      change(ownerId, id, isUndecided, { status: "canceled", resolvedAt: clock.now() }),
    /** The ground truth: the account's MEDs, newest first. */
    meds: (ownerId: string): readonly Med[] => medsOf(accountOf(ownerId)),
    /** When the next MED of the account passes its deadline, if any will. */
    nextMedChange: (ownerId: string): Temporal.Instant | undefined =>
      accountOf(ownerId)
        .meds.filter(isUnanswered)
        .map(({ dueAt }) => dueAt)
        .filter((at) => Temporal.Instant.compare(at, clock.now()) > 0)
        .toSorted((a, b) => Temporal.Instant.compare(a, b))[0],
  };
};

/** In the form of the seeded ids. */
const asUuid = (hex: string): string =>
  hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
