import type { AlertStep } from "#src/disputes/dispute-alert.ts";
import { DAY, HOUR, MINUTE } from "#src/shared/time.ts";
import type { Case, Ledger, Row } from "./ledger.ts";
import { beginsMs, isPending, isQuiet, isReminder, isUrgent, stepNow } from "./rules.ts";
import type { Standing, TrueDispute } from "./truth.ts";

/** Limit for owed alerts in calm times: a poll, a heartbeat, reads and the post. */
const PROMPT_MS = 8 * MINUTE;
const PROMPT_BY_NIGHT_MS = 18 * MINUTE;
/** Limit after a fault: dead processes' claims expire, and the longest back-off passes. */
const PATIENT_MS = 45 * MINUTE;
/** The summary's counts hide a moved deadline; the list is read hourly while a dispute awaits its answer. */
const MOVED_MS = HOUR + 20 * MINUTE;
const LATER_MS = HOUR;
const ANSWER_SHOWS_MS = 15 * MINUTE;
const LAST_CALL_MS = 6 * HOUR;

export interface OwedJudge {
  /** An event or a fault of an account that delays its alerts. */
  readonly disturb: (row: Row, how: "prompt" | "patient" | "moved") => void;
}

interface OwedJudgeNeeds {
  readonly ledger: Ledger;
  readonly nowMs: () => number;
  readonly after: (delayMs: number, work: () => void) => void;
  readonly disputesOf: (merchant: string) => readonly TrueDispute[];
  /** Whether everything that the account needs works now. */
  readonly isWell: (row: Row) => boolean;
  readonly listReadable: (nowMs: number) => boolean;
  readonly violate: (rule: string, why: string) => void;
}

/** Checks, after each long enough calm period, that everything owed is posted on Discord. */
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

  const lastFailureMs = ({ word }: Case): number | undefined =>
    word
      .changes(0, nowMs())
      .findLast((atMs) => word.at(atMs) === false && word.at(atMs - 1) === true);

  /** Whether a step was posted or is unnecessary: of its kind, or for that deadline. */
  const isTold = (
    own: Case,
    step: AlertStep,
    dueMs: number,
  ): "posted" | "excused" | "no" | "held" => {
    const keepsDeadline = isReminder(step) || step === "overdue";
    const alike = own.told.filter(
      (each) => each.step === step && (!keepsDeadline || each.dueMs === dueMs),
    );
    const begins = beginsMs(step, dueMs) ?? 0;
    // An acknowledgement that fails in the time of the last call has it told once more.
    const failedMs = step === "6h" ? own.failedWordsMs.findLast((atMs) => atMs >= begins) : 0;
    const sinceMs = failedMs ?? 0;
    if (alike.some(({ messages }) => messages.some(({ atMs }) => atMs >= sinceMs))) return "posted";
    // A first alert that is posted after a reminder begins names the time that is left then, and is that reminder too,
    // until an acknowledgement fails.
    const firsts = own.told.filter(
      (each) => isReminder(step) && each.step === "new" && each.dueMs === dueMs,
    );
    const fromMs = Math.max(begins, lastFailureMs(own) ?? 0);
    if (firsts.some(({ messages }) => messages.some(({ atMs }) => atMs >= fromMs))) return "posted";
    if (alike.some(({ troubles }) => troubles.has("unreachable"))) return "excused";
    const unposted = firsts.filter(({ settled }) => settled === undefined || settled === "due");
    const isHeld = [...alike, ...unposted].some(
      ({ delivery, atMs, putOffMs, dueMs: toldDueMs }) => {
        const heldMs = Math.max(delivery.notBefore.epochMilliseconds, putOffMs);
        const freeMs = Math.max(atMs, nowMs() - PATIENT_MS);
        return heldMs > freeMs && !isUrgent(step, toldDueMs, freeMs);
      },
    );
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

  /** True: check again later, because quiet hours delay an alert. */
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
    // What the bank accepts after its end shows in the list, and is news only after a reading in full.
    const isLate = step === "lost" && standing.status === "canceled";
    const isListed = own.known.at(own.keptMs)?.txid === "";
    if (isLate && (isListed || !listReadable(sinceMs))) return false;
    // A deadline moved from past to past needs no new alert.
    const learntMs = own.known.changes(0, now).find((atMs) => dueAt(own, atMs) === standing.dueMs);
    const saidSo = own.told.some(
      ({ step: each, messages, troubles }) =>
        each === step && (messages.length > 0 || troubles.has("unreachable")),
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

  /** Whether an alert already covered the step: its time had come by then, or the deadline moved afterwards. */
  const isSpent = (own: Case, step: AlertStep, { dueMs }: Standing, now: number): boolean => {
    const begins = beginsMs(step, dueMs) ?? now;
    const moves = own.known.changes(0, now);
    const sawMs = moves.findLast(
      (atMs) => own.known.at(atMs - 1)?.dueAt.epochMilliseconds !== dueMs,
    );
    const saysMs = own.told.filter((each) => {
      const said = each.step === "new" || each.step === "overdue" || isReminder(each.step);
      // A first alert names the time that is left when it is posted.
      const posted = each.step === "new" ? each.messages.map(({ atMs }) => atMs) : [];
      return said && (beginsMs(step, each.dueMs) ?? 0) <= Math.max(each.atMs, ...posted);
    });
    const failedMs = lastFailureMs(own);
    // A failed acknowledgement makes the newest reminder due again.
    const isAnnounced = own.told.some(
      ({ step, atMs }) => step === "new" && atMs >= (failedMs ?? now),
    );
    const isOwedAgain = failedMs !== undefined && failedMs >= begins && (sawMs ?? 0) < failedMs;
    if (isOwedAgain && !isAnnounced) return false;
    if (own.isFollowed) {
      const readDueMs = own.known.at(own.keptMs)?.dueAt.epochMilliseconds ?? dueMs;
      const hadBegun = (beginsMs(step, readDueMs) ?? now) <= own.keptMs;
      // What its owner read counts like an alert of that time.
      if (own.keptMs >= begins || (hadBegun && sawMs !== undefined && begins <= sawMs)) return true;
    }
    return saysMs.some(({ step: name, dueMs: each, atMs }) => {
      if (each === dueMs) return name === "new" && atMs >= begins;
      return sawMs !== undefined && begins <= sawMs;
    });
  };

  /** Six hours before the deadline an acknowledgement that the service contradicts expires. */
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

/** Longest time until everything is settled after the last event. */
export const SETTLES_MS = 2 * DAY;
