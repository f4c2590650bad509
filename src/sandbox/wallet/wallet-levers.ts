import type { Clock } from "../../shared/clock.ts";
import { availableCents } from "./balances.ts";
import { createMedLevers, type MedLevers } from "./med-levers.ts";
import type { Merchant, WithdrawalFailure } from "./merchant.ts";
import type { SaleOrigin } from "./sale-ledger.ts";
import type { WalletSettings } from "./wallet-settings.ts";
import { withdrawOwn } from "./withdraw.ts";
import {
  withdrawalStatus,
  type Withdrawal,
  type WithdrawalSource,
  type WithdrawalStatus,
} from "./withdrawal-book.ts";

export interface NewSale {
  /** User id of the account that sells. */
  readonly owner: string;
  readonly origin: SaleOrigin;
  readonly reais: number;
  /** Now when left out. */
  readonly at?: Temporal.Instant;
  readonly product?: string;
}

export interface DashboardOrder {
  readonly amountCents: number;
  readonly pixKey: string;
  readonly turbo: boolean;
}

export type DashboardOutcome =
  | { readonly kind: "accepted"; readonly txid: string }
  /** The service's own words, the same that an API client gets. */
  | { readonly kind: "refused"; readonly message: string };

/** A withdrawal that was really made since the sandbox started, whatever became of the answer. */
export interface ExecutedWithdrawal {
  readonly txid: string;
  readonly source: Exclude<WithdrawalSource, "history">;
  /** Of a split withdrawal. */
  readonly recipient: string | undefined;
  /** Body of the request, or order of the dashboard. */
  readonly asked: unknown;
  readonly amountCents: number;
  readonly turbo: boolean;
  readonly pixKey: string;
  readonly requestedAt: Temporal.Instant;
  readonly scheduledFor: Temporal.Instant | undefined;
  /** When it ends, or ended, and how. */
  readonly end: Withdrawal["end"];
  /** By the wallet's clock now. */
  readonly status: WithdrawalStatus;
}

/** What people and tests do to the wallet other than by its API. @throws RangeError when the owner has no account */
export interface WalletLevers extends MedLevers {
  /** Records an approved sale; gives its txid. */
  readonly sale: (sale: NewSale) => string;
  /** A withdrawal by a person in the service's own dashboard, under the same rules. */
  readonly dashboardWithdraw: (ownerId: string, order: DashboardOrder) => DashboardOutcome;
  /** The next accepted withdrawal of this account ends as failed; undefined: those that wait end well after all. */
  readonly failNextWithdrawal: (ownerId: string, failure: WithdrawalFailure | undefined) => void;
  /** How many of the account's next withdrawals will fail. */
  readonly failuresWaiting: (ownerId: string) => number;
  /** The ground truth: all that the account withdrew since the sandbox started, oldest first. */
  readonly executed: (ownerId: string) => readonly ExecutedWithdrawal[];
  /** What the account can withdraw now, in centavos. */
  readonly availableCents: (ownerId: string) => number;
}

export interface WalletLeverParts {
  readonly clock: Clock;
  readonly settings: Readonly<WalletSettings>;
  readonly merchants: () => readonly Merchant[];
  readonly changed: () => void;
}

export const createWalletLevers = (parts: WalletLeverParts): WalletLevers => {
  const { clock, settings, changed } = parts;
  let sold = 0;

  const accountOf = (ownerId: string): Merchant => {
    const merchant = parts.merchants().find((each) => each.userId === ownerId);
    if (merchant === undefined)
      throw new RangeError(`No account of ${ownerId} in the local wallet`);
    return merchant;
  };

  return {
    ...createMedLevers({ clock, settings, accountOf, changed }),
    sale: ({ owner, origin, reais, at, product }) => {
      const merchant = accountOf(owner);
      const txid = `venda${String(++sold).padStart(19, "0")}`;
      merchant.sales.add({
        txid,
        origin,
        amountCents: Math.round(reais * 100),
        product: product ?? "Venda avulsa",
        at: at ?? clock.now(),
        status: "approved",
      });
      changed();
      return txid;
    },
    dashboardWithdraw: (ownerId, asked) => {
      const order = { ...asked, source: "dashboard", recipient: undefined, asked } as const;
      const placed = withdrawOwn(accountOf(ownerId), order, settings, clock.now());
      if (placed.kind === "refused") {
        const { message } = placed.answer.body as { readonly message: string };
        return { kind: "refused", message };
      }
      changed();
      return { kind: "accepted", txid: placed.withdrawal.txid };
    },
    failNextWithdrawal: (ownerId, failure) => {
      const { failures } = accountOf(ownerId);
      if (failure === undefined) failures.length = 0;
      else failures.push(failure);
      changed();
    },
    failuresWaiting: (ownerId) => accountOf(ownerId).failures.length,
    executed: (ownerId) => accountOf(ownerId).withdrawals.flatMap((each) => truth(each, clock)),
    availableCents: (ownerId) => availableCents(accountOf(ownerId), clock.now()),
  };
};

const truth = (withdrawal: Withdrawal, clock: Clock): readonly ExecutedWithdrawal[] => {
  const { source, pixKeyType: _type, ...rest } = withdrawal;
  if (source === "history") return [];
  return [{ ...rest, source, status: withdrawalStatus(withdrawal, clock.now()) }];
};
