import type { Presences } from "../domain/account.ts";
import { openReportDay } from "../domain/report-day.ts";
import { type DeliveryHour, hoursComing } from "../domain/report-schedule.ts";
import { type Clock, HOUR } from "../shared/time.ts";
import type { Logger } from "../shared/log.ts";
import type { ReportLedger } from "../store/report-ledger.ts";
import { inLanes } from "./in-lanes.ts";
import type { Whereabouts } from "./presence.ts";
import { createSpacing } from "./spacing.ts";

export interface AskAheadNeeds {
  readonly clock: Clock;
  readonly log: Logger;
  readonly ledger: Pick<ReportLedger, "hours">;
  readonly presences: Pick<Presences, "unheard">;
  readonly whereabouts: Whereabouts;
}

/** Asks where the sellers are whose reports fall due within the hour. Never rejects for the sake of one seller. */
export type AskAhead = (stopping: AbortSignal) => Promise<void>;

/** Less than half of what Discord takes, so that posts go on beside it; 70,000 sellers in an hour. */
const PER_MINUTE = 1_200;
const LANES = 8;
const PAGE = 100;

/**
 * So that at the hour itself Discord's 50 requests a second are posts alone. Each hour of delivery is gone through once;
 * whoever is left out, or gave no answer, is asked about before the post.
 */
export const createAskAhead = ({
  clock,
  log,
  ledger,
  presences,
  whereabouts,
}: AskAheadNeeds): AskAhead => {
  let asked: ReadonlySet<string> = new Set();

  return async (stopping) => {
    const now = clock.now();
    const coming = hoursComing(await ledger.hours(), now, HOUR);
    const hours = coming.filter((hour) => !asked.has(nameOf(hour)));
    const until = now.add({ milliseconds: HOUR });
    const turns = createSpacing(clock, PER_MINUTE);
    const ask = async (account: Parameters<Whereabouts>[0]): Promise<void> => {
      await turns.turn(stopping);
      try {
        if (!stopping.aborted) await whereabouts(account, until);
      } catch (error) {
        log.error({ accountId: account.id, err: error }, "where a seller is cannot be asked");
      }
    };
    for (let after = ""; hours.length > 0 && !stopping.aborted;) {
      const page = await presences.unheard(hours, openReportDay(until), after, PAGE);
      await inLanes(LANES, page, ask, stopping);
      after = page.at(-1)?.id ?? "";
      if (page.length < PAGE) break;
    }
    asked = new Set(coming.map(nameOf));
  };
};

const nameOf = ({ time, timeZone }: DeliveryHour): string => `${time.toString()} ${timeZone}`;
