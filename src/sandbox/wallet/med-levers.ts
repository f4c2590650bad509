import { createHash } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import { acceptedByItselfAt, isUnanswered, isUndecided, openedMed, type Med } from "./med-book.ts";
import { medsAt } from "./med-list.ts";
import type { Merchant } from "./merchant.ts";
import type { WalletSettings } from "./wallet-settings.ts";

export interface NewMed {
  readonly amountCents: number;
  readonly situationType: Med["situationType"];
  /** Until the deadline of the seller's answer; parts of an hour are fine, below 0 it has passed. */
  readonly hoursToAnswer: number;
  /** What the service shows of the contested payment; undefined: it does not find it. */
  readonly original: Med["original"];
  /** Of the contested payment; one that no sale has when left out. */
  readonly txid?: string;
}

export interface MedAnswer {
  readonly status: "agreed" | "disagreed";
  readonly text: string;
}

/** `refused`: the MED is at another point, or there is none of that id. */
export type MedOutcome = "done" | "refused";

/** What payers, sellers and the bank do about MEDs other than by the API. @throws RangeError when the owner has no account */
export interface MedLevers {
  /** A payer contests a payment; gives the infraction id. The net of it leaves the balance. */
  readonly openMed: (ownerId: string, med: NewMed) => string;
  /** The seller answers in the service's dashboard. After the deadline too, until it is decided: the sandbox's reading. */
  readonly answerMed: (ownerId: string, infractionId: string, answer: MedAnswer) => MedOutcome;
  /** Whether or not the seller has answered. */
  readonly decideMed: (
    ownerId: string,
    infractionId: string,
    decision: "accepted" | "rejected",
  ) => MedOutcome;
  readonly cancelMed: (ownerId: string, infractionId: string) => MedOutcome;
  /** The ground truth, newest first, by the wallet's clock now. */
  readonly meds: (ownerId: string) => readonly Med[];
  /** When one of the account's passes its deadline, or is accepted by itself; undefined when none will. */
  readonly nextMedChange: (ownerId: string) => Temporal.Instant | undefined;
}

export interface MedLeverParts {
  readonly clock: Clock;
  readonly settings: Readonly<WalletSettings>;
  readonly accountOf: (ownerId: string) => Merchant;
  readonly changed: () => void;
}

export const createMedLevers = ({
  clock,
  settings,
  accountOf,
  changed,
}: MedLeverParts): MedLevers => {
  const current = (ownerId: string): readonly Med[] =>
    medsAt(accountOf(ownerId), settings, clock.now());

  const change = (
    ownerId: string,
    id: string,
    allowed: (med: Med) => boolean,
    changes: Partial<Med>,
  ): MedOutcome => {
    const med = current(ownerId).find(({ infractionId }) => infractionId === id);
    if (med === undefined || !allowed(med)) return "refused";
    const { meds } = accountOf(ownerId);
    const place = meds.findIndex(({ infractionId }) => infractionId === id);
    meds[place] = { ...med, ...changes };
    changed();
    return "done";
  };

  return {
    openMed: (ownerId, { hoursToAnswer, txid, ...parts }) => {
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
    answerMed: (ownerId, id, { status, text }) =>
      change(ownerId, id, isUnanswered, { status, answer: { at: clock.now(), text } }),
    decideMed: (ownerId, id, analysisStatus) =>
      change(ownerId, id, isUndecided, { analysisStatus, resolvedAt: clock.now() }),
    cancelMed: (ownerId, id) =>
      change(ownerId, id, isUndecided, { status: "canceled", resolvedAt: clock.now() }),
    meds: current,
    nextMedChange: (ownerId) =>
      current(ownerId)
        .filter(isUnanswered)
        .flatMap((med) => [
          med.dueAt,
          acceptedByItselfAt(med, settings.medAcceptedAfterDays) ?? med.dueAt,
        ])
        .filter((at) => Temporal.Instant.compare(at, clock.now()) > 0)
        .toSorted((a, b) => Temporal.Instant.compare(a, b))[0],
  };
};

/** In the form of the seeded ids. */
const asUuid = (hex: string): string =>
  hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
