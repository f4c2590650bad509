import { ANA, BRUNO, PEOPLE } from "../world.ts";
import type { ExecutedWithdrawal } from "../wallet/wallet-controls.ts";
import { medView } from "./med-view.ts";
import type { PageSandbox } from "./page-sandbox.ts";
import type { PageTrouble, PageWallet, PageWithdrawal } from "./page-view.ts";

const WITHDRAWALS_SHOWN = 6;

/** What the wallet service itself knows of the two sellers' money. */
export const walletView = (
  { wallet, clock }: Pick<PageSandbox, "wallet" | "clock">,
  trouble: Omit<PageTrouble, "fail">,
): readonly PageWallet[] =>
  [ANA, BRUNO].map(({ id, displayName }) => ({
    personId: id,
    name: displayName,
    available: wallet.availableCents(id) / 100,
    trouble: { ...trouble, fail: wallet.failuresWaiting(id) > 0 },
    withdrawals: wallet.executed(id).toReversed().slice(0, WITHDRAWALS_SHOWN).map(pageWithdrawal),
    meds: medView(wallet.meds(id), clock.now()),
  }));

const pageWithdrawal = (withdrawal: ExecutedWithdrawal): PageWithdrawal => ({
  txid: withdrawal.txid,
  amount: withdrawal.amountCents / 100,
  turbo: withdrawal.turbo,
  source: withdrawal.source,
  recipient: PEOPLE.find(({ id }) => id === withdrawal.recipient)?.displayName ?? null,
  pixKey: withdrawal.pixKey,
  status: withdrawal.status,
  requestedAt: withdrawal.requestedAt.toString(),
  scheduledFor: withdrawal.scheduledFor?.toString() ?? null,
});

/** When a withdrawal or a MED of theirs changes next by itself; undefined when all are at their end. */
export const nextWalletChange = ({
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
