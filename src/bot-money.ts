import type { LiveReplies } from "./discord/live-replies.ts";
import { createMoney, type Money } from "./services/money/money.ts";
import { type Clock, SECOND } from "./shared/time.ts";
import type { Logger } from "./shared/log.ts";
import { newProcessName, type Random } from "./shared/random.ts";
import type { Stores } from "./store/stores.ts";
import { guardNotice } from "./views/money/guards.ts";
import { outcomeNotice, withdrawStatusView } from "./views/money/withdraw-status.ts";
import { liveName } from "./views/money/money-ids.ts";
import { restoredNotice } from "./views/money/restore-question.ts";
import { externalWithdrawalNotice } from "./views/money/external-withdrawal.ts";
import type { WalletClient } from "./wallet/client.ts";

/** Nobody reads a question faster: an earlier click was meant for what stood in its place before. */
const READING_MS = 2 * SECOND;

/** Gives money the functions that it asks for. */
export const createBotMoney = (parts: {
  readonly clock: Clock;
  /** Milliseconds that no step of the clock changes. */
  readonly monotonicMs: () => number;
  readonly random: Random;
  readonly log: Logger;
  readonly stores: Stores;
  readonly wallet: WalletClient;
  readonly live: Pick<LiveReplies, "edit">;
  /** Whether the operator switched on what the service does not document. */
  readonly withdrawEnabled: boolean;
  /** Looks at deliveries and checks that are due, in its own time. */
  readonly wake: () => void;
}): Money => {
  const { clock, monotonicMs, random, log, stores, wallet, live, withdrawEnabled, wake } = parts;
  const { vault, accounts, outbox } = stores;
  return createMoney({
    clock,
    monotonicMs,
    random,
    log,
    owner: newProcessName(random),
    withdrawEnabled,
    journal: stores.journal,
    pixKeys: stores.pixKeys,
    guards: stores.guards,
    splitBalances: stores.splitBalances,
    openListings: stores.openListings,
    ghosts: stores.ghosts,
    holds: stores.holds,
    hashPixKey: vault.hashPixKey,
    hashToken: vault.hashToken,
    findWithKey: accounts.findWithKey,
    findByFingerprint: accounts.findByFingerprint,
    connectionsOf: accounts.connectionsOf,
    wallet,
    notices: {
      outcome: outcomeNotice,
      ghost: externalWithdrawalNotice,
      guard: guardNotice,
      restored: restoredNotice,
    },
    show: (status) => live.edit(liveName(status.op), withdrawStatusView(status, status.op.locale)),
    readingMs: READING_MS,
    retract: outbox.retract,
    enqueue: outbox.enqueue,
    wake,
  });
};
