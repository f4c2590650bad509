import { ANA, BRUNO } from "../world.ts";
import { heldCents } from "./med-book.ts";
import type { Merchant } from "./merchant.ts";
import { createSaleLedger } from "./sale-ledger.ts";
import { seededMeds } from "./seeded-meds.ts";
import { brunosWithdrawals, formerWithdrawals } from "./seeded-withdrawals.ts";

/** An account of the service that is nobody's in the sandbox: its key is refused as another account's. */
export const OTHER_ACCOUNT = {
  userId: "1180000000000000299",
  apiKey: "sk_sandbox_outra_conta_00112233445566",
} as const;

/** A key that worked once: 401. */
export const REVOKED_KEY = "sk_sandbox_revogada_66554433221100";

const SEEDED_DAYS = 35;
const QUIET_DAYS_AGO = 3;
/** In reais; below the sandbox's night limit, so that the whole of it can be withdrawn at any hour. */
const ANAS_BALANCE = 2_480.35;
const BRUNOS_BALANCE = 1_164.9;
/** Whose split balance at Ana's account is below the minimum. */
export const SPLIT_RECIPIENT_BELOW_MINIMUM = "10482937561120948736";

export interface NewMerchant {
  readonly userId: string;
  readonly apiKey: string;
  readonly splitEnabled?: boolean;
  readonly withdrawalsBlocked?: boolean;
  /** Available balance in reais; 0 when left out. */
  readonly balance?: number;
  /** Amounts in reais by the recipient's user id. */
  readonly splitBalances?: Readonly<Record<string, number>>;
}

/** An account without history. */
export const emptyMerchant = (parts: NewMerchant): Merchant => ({
  userId: parts.userId,
  apiKey: parts.apiKey,
  splitEnabled: parts.splitEnabled ?? false,
  withdrawalsBlocked: parts.withdrawalsBlocked ?? false,
  revoked: false,
  sales: createSaleLedger(parts.userId, undefined),
  withdrawals: [],
  meds: [],
  openingCents: Math.round((parts.balance ?? 0) * 100),
  openingHeldCents: 0,
  failures: [],
  splitOpening: new Map(
    Object.entries(parts.splitBalances ?? {}).map(([id, amount]) => [id, Math.round(amount * 100)]),
  ),
});

/**
 * The accounts that the sandbox starts with: Ana (split enabled, every variant of MED and finished withdrawal), Bruno
 * (no split, one withdrawal paid), somebody else's and a revoked one. `seeded` false leaves them their
 * balances, without history.
 */
export const seededMerchants = (start: Temporal.Instant, seeded: boolean): readonly Merchant[] => {
  const nobodys = [
    emptyMerchant(OTHER_ACCOUNT),
    { ...emptyMerchant({ userId: ANA.id, apiKey: REVOKED_KEY }), revoked: true },
  ];
  const ana = emptyMerchant({
    userId: ANA.id,
    apiKey: ANA.apiKey,
    splitEnabled: true,
    balance: ANAS_BALANCE,
    splitBalances: { [BRUNO.id]: 1250.8, [SPLIT_RECIPIENT_BELOW_MINIMUM]: 7.35 },
  });
  const bruno = emptyMerchant({ userId: BRUNO.id, apiKey: BRUNO.apiKey, balance: BRUNOS_BALANCE });
  if (!seeded) return [ana, bruno, ...nobodys];
  const meds = seededMeds(start);
  return [
    {
      ...ana,
      sales: weeksOfSales(ANA.id, start),
      withdrawals: formerWithdrawals(start),
      meds: [...meds],
      openingHeldCents: heldCents(meds),
    },
    {
      ...bruno,
      sales: weeksOfSales(BRUNO.id, start),
      withdrawals: brunosWithdrawals(start),
    },
    ...nobodys,
  ];
};

/** The quiet weekday is chosen so that neither today nor yesterday is one when the sandbox starts. */
const weeksOfSales = (merchantId: string, start: Temporal.Instant) => {
  const today = start.toZonedDateTimeISO("UTC").toPlainDate();
  return createSaleLedger(merchantId, {
    since: today.subtract({ days: SEEDED_DAYS }),
    quietWeekday: today.subtract({ days: QUIET_DAYS_AGO }).dayOfWeek,
  });
};
