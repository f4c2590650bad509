import { HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import type { Call, HttpAnswer, HttpFailure } from "#src/wallet/http.ts";
import type { Dice } from "../dice.ts";
import type { VirtualTime } from "../virtual-time.ts";
import { detailBody, listBody, type Med, summaryBody } from "./meds.ts";

export const callKinds = ["summary", "list", "detail", "withdrawals", "report", "sales"] as const;
export type CallKind = (typeof callKinds)[number];

export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

export const isWithin = ({ fromMs, untilMs }: Span, ms: number): boolean =>
  ms >= fromMs && ms < untilMs;

interface ServiceNeeds {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly medsOf: (key: number) => readonly Med[];
  /** The list of transactions; without it the service refuses to show one. */
  readonly salesPage?: (key: number, path: string) => object;
  /** Every call fails: in the first half it hangs, in the second half it is refused. */
  readonly outages: readonly Span[];
  /** Only reports hang. */
  readonly reportsHang: readonly Span[];
  readonly onCall: (kind: CallKind, key: number) => void;
}

const KEY = /^sk_fleet_(\d+)$/;
const ANSWERED_LATE = 0.02;

export const keyOf = (seller: number): string => `sk_fleet_${seller}`;

const kindOf = (path: string): CallKind => {
  if (path === "/v1/meds/summary") return "summary";
  if (path === "/v1/meds") return "list";
  if (path.startsWith("/v1/meds/")) return "detail";
  if (path.startsWith("/v1/transactions")) return "sales";
  return path.startsWith("/v1/sales/") ? "report" : "withdrawals";
};

const NO_SALES = { totalSales: 0, totalFees: 0, totalNet: 0 };

/** Each key belongs to a wallet account of its own. */
const reportBody = (path: string, key: number): object => {
  const origin = { ...NO_SALES, count: 0 };
  const date = decodeURIComponent(path.slice(path.indexOf("=") + 1));
  const breakdown = { api: origin, esales: origin };
  return { success: true, date, userId: `user-${key}`, summary: NO_SALES, breakdown };
};

const answer = (status: number, body: object): HttpAnswer => ({
  complete: true,
  status,
  headers: {},
  body: JSON.stringify(body),
});

const TIMED_OUT: HttpFailure = {
  complete: false,
  kind: "timeout",
  code: "DEADLINE",
  status: undefined,
  headers: {},
};
const HEADERS_MS = 10 * SECOND;

/** The wallet service in place of the client's last step, before HTTP. */
export const createModelService = (needs: ServiceNeeds): Call => {
  const { time, dice, medsOf } = needs;

  const latencyMs = (): number =>
    dice.chance(ANSWERED_LATE) ? dice.between(SECOND, 6 * SECOND) : dice.between(60, 400);

  const bodyOf = (kind: CallKind, path: string, key: number): HttpAnswer => {
    const meds = medsOf(key);
    if (kind === "summary") return answer(200, summaryBody(meds, time.nowMs()));
    if (kind === "list") return answer(200, listBody(meds, time.nowMs()));
    if (kind === "withdrawals") return answer(200, { success: true, withdrawals: [] });
    if (kind === "report") return answer(200, reportBody(path, key));
    if (kind === "sales")
      return needs.salesPage === undefined
        ? answer(403, { success: false })
        : answer(200, needs.salesPage(key, path));
    const med = meds.find(({ id }) => path.endsWith(`/${id}`));
    return med ? answer(200, detailBody(med, time.nowMs())) : answer(404, { success: false });
  };

  return async ({ path }, apiKey, deadlineMs) => {
    const key = Number(KEY.exec(apiKey.reveal())?.[1]);
    const kind = kindOf(path);
    needs.onCall(kind, key);
    const outage = needs.outages.find((each) => isWithin(each, time.nowMs()));
    const hangs =
      (outage && time.nowMs() < (outage.fromMs + outage.untilMs) / 2) ||
      (kind === "report" && needs.reportsHang.some((each) => isWithin(each, time.nowMs())));
    if (hangs) {
      await time.sleep(Math.min(deadlineMs, HEADERS_MS));
      return TIMED_OUT;
    }
    const waitMs = latencyMs();
    await time.sleep(waitMs / 2);
    const answered = outage ? answer(503, { success: false }) : bodyOf(kind, path, key);
    await time.sleep(waitMs / 2);
    return answered;
  };
};

/** An outage of one hour that begins `hours` after `startMs`. */
export const hourFrom = (startMs: number, hours: number): Span => ({
  fromMs: startMs + hours * HOUR,
  untilMs: startMs + hours * HOUR + 60 * MINUTE,
});
