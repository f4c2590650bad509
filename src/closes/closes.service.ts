import { connectionOfAsker } from "../accounts/asker.service.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { SalesDays } from "../reports/sales-days.store.ts";
import type { Clock } from "../shared/time.ts";
import {
  type CloseActivity,
  type CloseFigures,
  closeFigures,
  type ClosePeriod,
  periodBefore,
} from "./close.ts";
import type { CloseChoices, Closes } from "./closes.store.ts";

export interface ClosesService extends Pick<Closes, "choices"> {
  /** A kind that is switched on owes no close of a period that is over. */
  readonly choose: (guildId: string, choices: CloseChoices) => Promise<void>;
  /** The asker's own close, from kept figures. @throws UserError not_connected */
  readonly own: (
    guildId: string,
    userId: string,
    period: ClosePeriod,
  ) => Promise<{
    readonly figures: CloseFigures;
    readonly activity: CloseActivity;
    readonly readAt: Temporal.Instant;
  }>;
}

interface ClosesNeeds {
  readonly clock: Clock;
  readonly accounts: Pick<AccountsStore, "findWithKey">;
  readonly salesDays: Pick<SalesDays, "between">;
  readonly closes: Pick<Closes, "activity" | "choices" | "choose">;
}

export const createCloses = (needs: ClosesNeeds): ClosesService => ({
  choices: needs.closes.choices,
  choose: (guildId, choices) => needs.closes.choose(guildId, choices, needs.clock.now()),
  own: async (guildId, userId, period) => {
    const { account } = await connectionOfAsker(needs.accounts, { guildId, userId });
    const readAt = needs.clock.now();
    const first = periodBefore(period).from;
    const days = await needs.salesDays.between(account.accountFp, first, period.to);
    const activity = await needs.closes.activity(account, period);
    return { figures: closeFigures(period, [{ ownerId: userId, days }]), activity, readAt };
  },
});
