import type { DisputeFilter } from "../../domain/dispute-filter.ts";
import type { DisputeRef } from "../../domain/dispute-facts.ts";
import { isPlainId } from "../../domain/wire-id.ts";

const LONGEST = 100;

const plain = (action: string, argument = ""): string => `meds:${action}:${argument}`;

/** Undefined where the service's id could not be asked for, or where Discord would not take the button. */
const ofDispute =
  (action: string) =>
  ({ accountId, infractionId }: DisputeRef): string | undefined => {
    const id = plain(action, `${accountId}.${infractionId}`);
    return isPlainId(infractionId) && id.length <= LONGEST ? id : undefined;
  };

/**
 * Custom ids of everything that is clicked about disputes, in the form of `discord/custom-id.ts`. They name an account and
 * an infraction, a filter and a page, and nothing about either. `commands/meds.ts` serves each of them.
 */
export const disputeIds = {
  list: plain("lista"),
  filter: plain("filtro"),
  /** A menu; the values are infraction ids of the person's own account. */
  choose: plain("abrir"),
  page: (filter: DisputeFilter, page: number): string => plain("pagina", `${filter}.${page}`),
  rate: plain("taxa"),
  see: ofDispute("ver"),
  agenda: ofDispute("agenda"),
  answered: ofDispute("respondi"),
  resume: ofDispute("lembrar"),
  snooze: ofDispute("adiar"),
  defence: ofDispute("defesa"),
} as const;
