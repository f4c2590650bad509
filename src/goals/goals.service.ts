import type { AccountsStore } from "../accounts/accounts.store.ts";
import { isEntitledOwner } from "../accounts/asker.service.ts";
import type { SalesDay } from "../reports/sales-days.ts";
import type { SalesDays } from "../reports/sales-days.store.ts";
import type { PeriodReading } from "../reports/sales-period.ts";
import { UserError, WalletError, type WalletErrorKind } from "../shared/errors.ts";
import type { Cents } from "../shared/money.ts";
import { codesOfErrors } from "../shared/settled.ts";
import type { Clock } from "../shared/time.ts";
import { type Goal, goalProgress, type GoalReading, goalReadings, lastGoalDay } from "./goal.ts";
import type { Goals } from "./goals.store.ts";

interface GoalsNeeds {
  readonly clock: Clock;
  readonly accounts: Pick<AccountsStore, "connectionsOf" | "find">;
  readonly goals: Goals;
  /** Kept days without a refund since they were read, open ones too. */
  readonly keptMonth: SalesDays["between"];
  /** The figures of the month that people call this one: kept days, and some that are read now. @throws WalletError */
  readonly readMonth: (
    guildId: string,
    ownerId: string,
  ) => Promise<Pick<PeriodReading, "isKept" | "known" | "supportCodes">>;
}

export const createGoals = (needs: GoalsNeeds) => {
  const { clock, accounts, goals } = needs;

  const readingOf = (
    goal: Goal,
    days: readonly SalesDay[],
    now: Temporal.Instant,
    problem?: WalletErrorKind,
    supportCodes?: readonly string[],
  ): GoalReading => {
    const progress = goalProgress(goal.amount, days, now);
    return { goal, progress, ...goalReadings(days, now), problem, supportCodes };
  };

  /**
   * The service may be away: then the kept days are told, and the others are missing. An owner of refused keys
   * alone does not see those that another owner's key goes on reading.
   */
  const reading = async (guildId: string, ownerId: string, goal: Goal): Promise<GoalReading> => {
    const now = clock.now();
    let failure: WalletError | undefined;
    let codes: readonly string[] | undefined;
    try {
      const { known, isKept, supportCodes } = await needs.readMonth(guildId, ownerId);
      if (!isKept) return readingOf(goal, [...known.values()], now, undefined, supportCodes);
      codes = supportCodes;
    } catch (error) {
      if (!(error instanceof WalletError)) throw error;
      failure = error;
      codes = codesOfErrors([error]);
    }
    const problem = failure?.kind ?? "unavailable";
    const account = await accounts.find(guildId, ownerId);
    if (account === undefined) return readingOf(goal, [], now, problem, codes);
    if (failure !== undefined && !(await isEntitledOwner(accounts, account))) throw failure;
    const upTo = lastGoalDay(now);
    const kept = await needs.keptMonth(account.accountFp, upTo.with({ day: 1 }), upTo);
    return readingOf(goal, kept, now, problem, codes);
  };

  const unread = (goal: Goal, error: unknown): GoalReading => {
    if (!(error instanceof WalletError)) throw error;
    return readingOf(goal, [], clock.now(), error.kind, codesOfErrors([error]));
  };

  /** @throws UserError not_connected */
  const requireConnection = async (guildId: string, ownerId: string): Promise<void> => {
    if ((await accounts.find(guildId, ownerId)) === undefined)
      throw new UserError({ kind: "not_connected" });
  };

  /** Goal for the direct report of the wallet account; undefined also without a connection. */
  const direct = async (guildId: string, ownerId: string): Promise<Cents | undefined> => {
    const account = await accounts.find(guildId, ownerId);
    return account && (await goals.direct(account.id));
  };

  return {
    find: goals.find,
    direct,
    /** The present goal with the part that is sold; undefined without a goal. @throws UserError not_connected */
    read: async (guildId: string, ownerId: string): Promise<GoalReading | undefined> => {
      await requireConnection(guildId, ownerId);
      const goal = await goals.find(guildId, ownerId);
      return goal && (await reading(guildId, ownerId, goal));
    },
    /**
     * Changes the given parts. The saved goal is answered also when the month cannot be read.
     * @throws UserError not_connected, goal_missing
     */
    save: async (guildId: string, ownerId: string, change: Partial<Goal>): Promise<GoalReading> => {
      const saved = await goals.save(guildId, ownerId, change, clock.now());
      if (saved !== undefined)
        return await reading(guildId, ownerId, saved).catch((error) => unread(saved, error));
      await requireConnection(guildId, ownerId);
      throw new UserError({ kind: "goal_missing" });
    },
    /** The goal that stays for the same wallet account, of another server. */
    remove: async (guildId: string, ownerId: string): Promise<Cents | undefined> => {
      await goals.remove(guildId, ownerId, clock.now());
      return await direct(guildId, ownerId);
    },
  };
};
