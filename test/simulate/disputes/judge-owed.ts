import type { AlertStep } from "#src/domain/dispute-alert.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import type { Case, Ledger, Row } from "./ledger.ts";
import { beginsMs, isPending, isQuiet, isReminder, isUrgent, stepNow } from "./rules.ts";
import type { Standing, TrueDispute } from "./truth.ts";

/** Within this what is owed is posted while nothing goes wrong: a poll, a heartbeat, reads and the post. */
const PROMPT_MS = 8 * MINUTE;
const PROMPT_BY_NIGHT_MS = 18 * MINUTE;
/** After something went wrong: claims of the dead end, and the longest pause between two attempts passes. */
const PATIENT_MS = 45 * MINUTE;
/** No count tells that a deadline moved: the list is read again within the hour while one awaits its answer. */
const MOVED_MS = HOUR + 20 * MINUTE;
const LATER_MS = HOUR;
const ANSWER_SHOWS_MS = 15 * MINUTE;
const LAST_CALL_MS = 6 * HOUR;

export interface OwedJudge {
  /** Something happened to an account that takes its time, or went wrong. */
  readonly disturb: (row: Row, how: "prompt" | "patient" | "moved") => void;
}

export interface OwedJudgeNeeds {
  readonly ledger: Ledger;
  readonly nowMs: () => number;
  readonly after: (delayMs: number, work: () => void) => void;
  readonly disputesOf: (merchant: string) => readonly TrueDispute[];
  /** Whether nothing that this account needs is away now. */
  readonly isWell: (row: Row) => boolean;
  readonly listReadable: (nowMs: number) => boolean;
  readonly violate: (rule: string, why: string) => void;
}

/** Judges, whenever nothing went wrong for long enough, that all that is owed stands at Discord. */
export const createOwedJudge = (needs: OwedJudgeNeeds): OwedJudge => {
  const { ledger, nowMs, after, disputesOf, isWell, listReadable, violate } = needs;
  const wellFromMs = new Map<string, number>();
  const waiting = new Set<string>();

  const boundOf = (row: Row): number =>
    ledger.routeAt(row.guildId, nowMs())?.slowNights === true ? PROMPT_BY_NIGHT_MS : PROMPT_MS;

  const checkAt = (row: Row, atMs: number): void => {
    if (waiting.has(row.id)) return;
    waiting.add(row.id);
    after(Math.max(atMs - nowMs(), 0), () => {
      waiting.delete(row.id);
      const fromMs = wellFromMs.get(row.id) ?? 0;
      if (row.isGone) return;
      if (nowMs() < fromMs) return checkAt(row, fromMs);
      if (isWell(row) && row.choice.at(nowMs()) !== "off" && check(row)) {
        checkAt(row, nowMs() + LATER_MS);
      }
    });
  };

  const quietWithin = (row: Row, fromMs: number): boolean => {
    for (let atMs = fromMs; atMs <= nowMs(); atMs += MINUTE) {
      if (isQuiet(ledger.routeAt(row.guildId, atMs), atMs)) return true;
    }
    return false;
  };

  /** Whether a step was told, or need not be: of its kind, or of that deadline. */
  const isTold = (
    own: Case,
    step: AlertStep,
    dueMs: number,
  ): "posted" | "excused" | "no" | "held" => {
    const keepsDeadline = isReminder(step) || step === "overdue";
    const alike = own.told.filter(
      (each) => each.step === step && (!keepsDeadline || each.dueMs === dueMs),
    );
    if (alike.some(({ messages }) => messages.length > 0)) return "posted";
    if (alike.some(({ troubles }) => troubles.has("unreachable"))) return "excused";
    const isHeld = alike.some(({ delivery, atMs, putOffMs, dueMs: toldDueMs }) => {
      const fromMs = Math.max(delivery.notBefore.epochMilliseconds, putOffMs);
      return fromMs > atMs && fromMs > nowMs() - PATIENT_MS && !isUrgent(step, toldDueMs, atMs);
    });
    if (isHeld) return "held";
    return "no";
  };

  const isKnownBefore = (own: Case, dispute: TrueDispute, step: AlertStep): boolean => {
    const atThen = dispute.standing.at(own.keptMs);
    return (
      (own.isFollowed || own.isSilent) &&
      atThen !== undefined &&
      stepNow(atThen, own.keptMs) === step
    );
  };

  /** True: to be asked again later, because the quiet hours hold something back. */
  const checkOne = (row: Row, dispute: TrueDispute, boundMs: number): boolean => {
    const now = nowMs();
    const standing = dispute.standing.at(now);
    const own = row.cases.get(dispute.id);
    if (standing === undefined) return false;
    if (own === undefined) {
      if (listReadable(now - boundMs)) violate("OWED", `${dispute.id} is not watched`);
      return false;
    }
    const sinceMs = now - boundMs;
    if (isPending(standing, now)) return checkPending(row, own, standing, sinceMs);
    const step = stepNow(standing, now);
    if (step === undefined || isKnownBefore(own, dispute, step)) return false;
    if (step === "new" && (own.told.length > 0 || own.isFollowed)) return false;
    // Of a deadline that moved from the past to the past nobody need be told again.
    const learntMs = own.known.changes(0, now).find((atMs) => dueAt(own, atMs) === standing.dueMs);
    const saidSo = own.told.some(
      ({ step: each, messages }) => each === step && messages.length > 0,
    );
    if (step === "overdue" && saidSo && (learntMs ?? now) >= standing.dueMs) return false;
    return demand(row, own, step, standing.dueMs, sinceMs);
  };

  const checkPending = (row: Row, own: Case, standing: Standing, sinceMs: number): boolean => {
    const now = nowMs();
    const { dueMs } = standing;
    if (own.word.everIn(sinceMs, now, (word) => word === true)) {
      wordFailed(own, dueMs, sinceMs);
      return false;
    }
    const wasSilenced = own.word.everIn(0, now, (word) => word === true);
    const wasTold = own.told.some(({ messages }) => messages.length > 0);
    const newsOwed = !wasSilenced && !own.isFollowed && !wasTold;
    if ((own.snoozedUntilMs.at(now) ?? 0) > sinceMs) return true;
    const held = newsOwed && demand(row, own, "new", dueMs, sinceMs);
    const step = stepNow(standing, now);
    if (step === undefined || !isReminder(step)) return held;
    return isSpent(own, step, standing, now)
      ? held
      : demand(row, own, step, dueMs, sinceMs) || held;
  };

  /** Whether somebody was told as much already: its time had come when they heard of it, or before the deadline moved. */
  const isSpent = (own: Case, step: AlertStep, { dueMs }: Standing, now: number): boolean => {
    const begins = beginsMs(step, dueMs) ?? now;
    const moves = own.known.changes(0, now);
    const sawMs = moves.findLast(
      (atMs) => own.known.at(atMs - 1)?.dueAt.epochMilliseconds !== dueMs,
    );
    const saysMs = own.told.filter((each) => {
      const said = each.step === "new" || each.step === "overdue" || isReminder(each.step);
      return said && (beginsMs(step, each.dueMs) ?? 0) <= each.atMs;
    });
    const failedMs = own.word
      .changes(0, now)
      .findLast((atMs) => own.word.at(atMs) === false && own.word.at(atMs - 1) === true);
    // A word that failed makes the newest one owed again.
    const isAnnounced = own.told.some(
      ({ step, atMs }) => step === "new" && atMs >= (failedMs ?? now),
    );
    const isOwedAgain = failedMs !== undefined && failedMs >= begins && (sawMs ?? 0) < failedMs;
    if (isOwedAgain && !isAnnounced) return false;
    const heard = own.isFollowed ? own.keptMs : undefined;
    if (heard !== undefined && heard >= begins) return true;
    return saysMs.some(({ step: name, dueMs: each, atMs }) => {
      if (each === dueMs) return name === "new" && atMs >= begins;
      return sawMs !== undefined && begins <= sawMs;
    });
  };

  /** Six hours before the deadline a word that the service does not bear out holds no longer. */
  const wordFailed = (own: Case, dueMs: number, sinceMs: number): void => {
    const now = nowMs();
    const everSince = !own.word.everIn(sinceMs - ANSWER_SHOWS_MS, now, (word) => word !== true);
    if (everSince && sinceMs >= dueMs - LAST_CALL_MS) {
      violate("WORD", `${own.infractionId} stays silenced though the service awaits an answer`);
    }
  };

  const demand = (
    row: Row,
    own: Case,
    step: AlertStep,
    dueMs: number,
    sinceMs: number,
  ): boolean => {
    const told = isTold(own, step, dueMs);
    if (told === "posted" || told === "excused") return false;
    if (told === "held") return true;
    const isHeld = !isUrgent(step, dueMs, nowMs()) && quietWithin(row, sinceMs - MINUTE);
    if (isHeld) return true;
    violate("OWED", `${step} of ${own.infractionId} is owed to ${row.ownerId} and stands nowhere`);
    return false;
  };

  const check = (row: Row): boolean => {
    const boundMs = boundOf(row);
    if (row.baselineMs === undefined && listReadable(nowMs() - boundMs)) {
      violate("OWED", `${row.id} was never looked at as a whole`);
    }
    const held = disputesOf(row.merchant).map((dispute) => checkOne(row, dispute, boundMs));
    return held.includes(true);
  };

  return {
    disturb: (row, how) => {
      if (row.isGone) return;
      const waitMs = { prompt: boundOf(row), patient: PATIENT_MS, moved: MOVED_MS }[how];
      const untilMs = nowMs() + waitMs;
      wellFromMs.set(row.id, Math.max(wellFromMs.get(row.id) ?? 0, untilMs));
      checkAt(row, untilMs);
    },
  };
};

const dueAt = (own: Case, atMs: number): number | undefined =>
  own.known.at(atMs)?.dueAt.epochMilliseconds;

/** Longest that anything is still owed after the last thing that happened. */
export const SETTLES_MS = 2 * DAY;
