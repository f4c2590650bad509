import { HOUR } from "#src/shared/time.ts";
import type { Ledger, Row } from "./ledger.ts";
import type { TrueDispute, Truth } from "./truth.ts";
import type { ReadName, Weather } from "./weather.ts";

export const LAST_CALL_MS = 6 * HOUR;

/** Until when polls of an account bring no news: `Infinity` when all is known, the end of an outage, or now. */
export const cleanUntil = (
  accountId: string,
  { ledger, truth, weather }: { ledger: Ledger; truth: Truth; weather: Weather },
  nowMs: number,
): number => {
  const row = ledger.rows.get(accountId);
  if (row === undefined) return Infinity;
  const unsure = truth.of(row.merchant).filter((dispute) => !isKnown(row, truth, dispute, nowMs));
  if (row.baselineMs !== undefined && unsure.length === 0) return Infinity;
  // Watched disputes are read one by one, even without the list.
  const needsList = unsure.every(({ id }) => !row.cases.has(id));
  const needed: readonly ReadName[] = needsList ? ["list", "dispute"] : ["dispute"];
  const awayMs = needed.flatMap((what) => weather.walletAway(what, nowMs) ?? []);
  return Math.max(nowMs, ...awayMs);
};

const isKnown = (row: Row, truth: Truth, dispute: TrueDispute, nowMs: number): boolean => {
  const own = row.cases.get(dispute.id);
  const known = own?.known.at(nowMs);
  const { status, analysis, dueMs } = truth.now(dispute);
  // From here a reading decides whether the acknowledgement holds, without a change at the service.
  const isDoubted =
    status === "pending" && dueMs - nowMs <= LAST_CALL_MS && own?.word.at(nowMs) === true;
  return (
    known?.status === status &&
    known.analysisStatus === analysis &&
    (known.dueAt.epochMilliseconds === dueMs || status !== "pending") &&
    !isDoubted
  );
};
