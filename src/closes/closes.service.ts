import {
  paidWithdrawals,
  type WithdrawalSources,
} from "../accounting-files/accounting-files.service.ts";
import { connectionOfAsker, isEntitledOwner, resumeJobs } from "../accounts/asker.service.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import { isReadForAsker } from "../reports/sales-days.ts";
import type { SalesDays } from "../reports/sales-days.store.ts";
import type { Logger } from "../shared/log.ts";
import {
  type CloseChoices,
  closeFigures,
  type ClosePeriod,
  type OwnClose,
  periodBefore,
} from "./close.ts";
import type { Closes } from "./closes.store.ts";

interface ClosesNeeds extends WithdrawalSources {
  readonly log: Logger;
  readonly accounts: Pick<AccountsStore, "connectionsOf" | "findWithKey" | "resume">;
  readonly salesDays: Pick<SalesDays, "between" | "lookSoon" | "want">;
  readonly closes: Pick<Closes, "activity" | "choices" | "choose" | "chooseDirect">;
}

export const createCloses = (needs: ClosesNeeds) => ({
  choices: needs.closes.choices,
  /** A kind that is switched on owes no close of a period that is over. */
  choose: (guildId: string, choices: Partial<CloseChoices>, adminId: string) =>
    needs.closes.choose(guildId, choices, adminId, needs.clock.now()),
  chooseDirect: (watchId: string, choices: Partial<CloseChoices>) =>
    needs.closes.chooseDirect(watchId, choices, needs.clock.now()),
  /**
   * The asker's own close, from kept figures; the background reads missing days.
   * @throws UserError not_connected
   * @throws WalletError when the key is refused, or cannot be tried, where another owner's is accepted
   */
  own: async (guildId: string, userId: string, period: ClosePeriod): Promise<OwnClose> => {
    const connection = await connectionOfAsker(needs.accounts, { guildId, userId });
    const { account, key } = connection;
    const isEntitled = await isEntitledOwner(needs.accounts, account);
    // Another's key may have read the days since this one was refused: it has to work first.
    if (!isEntitled) {
      await needs.wallet.withdrawals(key, "interactive");
      await resumeJobs({ ...needs.accounts, log: needs.log }, account);
    }
    const now = needs.clock.now();
    const first = periodBefore(period).from;
    const days = await needs.salesDays.between(account.accountFp, first, period.to);
    const figures = closeFigures(period, [{ ownerId: userId, days }]);
    const missing = figures.missing.flatMap((seller) => seller.days);
    const asked = missing.filter((day) => isReadForAsker(day, now));
    const isKeyRefused = isEntitled && account.pausedAt !== undefined;
    if (figures.change?.kind === "unknown") await needs.salesDays.want(account.accountFp, now);
    // The background waits for the next day after a refused key, which may work again by now.
    if (asked.length > 0 && !isKeyRefused) await needs.salesDays.lookSoon(account.accountFp, now);
    return {
      figures,
      activity: {
        ...(await needs.closes.activity(account, period)),
        withdrawals: await paidWithdrawals(needs, connection, period),
      },
      asked,
      tooOld: missing.filter((day) => !isReadForAsker(day, now)),
      isKeyRefused,
    };
  },
});
