import type { Dispute, DisputeSummary } from "#src/disputes/dispute.ts";
import type { DisputePage } from "#src/disputes/dispute-list.ts";
import { cents } from "#src/shared/money.ts";
import { summaryOf } from "../../disputes/model-disputes.ts";

/** State of one dispute at the service. */
export interface Standing {
  readonly status: "pending" | "agreed" | "disagreed" | "canceled" | "in_review";
  readonly analysis: "pending" | "accepted" | "rejected";
  readonly dueMs: number;
}

export interface TrueDispute {
  readonly id: string;
  readonly merchant: string;
  readonly createdMs: number;
  readonly standing: Timeline<Standing>;
}

/** The service's own books. */
export interface Truth {
  readonly disputes: ReadonlyMap<string, TrueDispute>;
  readonly of: (merchant: string) => readonly TrueDispute[];
  readonly open: (merchant: string, createdMs: number, standing: Standing) => TrueDispute;
  readonly change: (dispute: TrueDispute, change: Partial<Standing>) => void;
  readonly now: (dispute: TrueDispute) => Standing;
  readonly read: (merchant: string, id: string) => Dispute | undefined;
  readonly list: (merchant: string) => DisputePage;
  readonly summary: (merchant: string) => DisputeSummary;
}

const AMOUNT = cents(12_000);
const FROZEN = cents(11_700);
const instantOf = (ms: number): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(ms);

export const createTruth = (
  nowMs: () => number,
  onChange: (dispute: TrueDispute, isMove: boolean) => void,
): Truth => {
  const disputes = new Map<string, TrueDispute>();
  const byMerchant = new Map<string, TrueDispute[]>();
  const of = (merchant: string): readonly TrueDispute[] => byMerchant.get(merchant) ?? [];
  const now = ({ standing }: TrueDispute): Standing => {
    const current = standing.at(nowMs());
    if (current === undefined) throw new Error("It is not there yet");
    return current;
  };
  const asRead = (dispute: TrueDispute): Dispute => {
    const { status, analysis, dueMs } = now(dispute);
    return {
      infractionId: dispute.id,
      txid: `tx-${dispute.id}`,
      amount: AMOUNT,
      frozen: FROZEN,
      status,
      analysisStatus: analysis,
      situation: "FRAUDE",
      description: "",
      contestedAt: instantOf(dispute.createdMs),
      dueAt: instantOf(dueMs),
      answeredAt: undefined,
      answer: undefined,
      payerName: undefined,
      payerTaxId: undefined,
      refund: undefined,
      createdAt: instantOf(dispute.createdMs),
      resolvedAt: undefined,
      sale: undefined,
      saleTxid: undefined,
    };
  };
  return {
    disputes,
    of,
    now,
    open: (merchant, createdMs, standing) => {
      const id = `INF-${disputes.size + 1}`;
      const dispute = { id, merchant, createdMs, standing: createTimeline<Standing>() };
      dispute.standing.set(createdMs, standing);
      disputes.set(id, dispute);
      byMerchant.set(merchant, [...of(merchant), dispute]);
      onChange(dispute, false);
      return dispute;
    },
    change: (dispute, change) => {
      dispute.standing.set(nowMs(), { ...now(dispute), ...change });
      onChange(dispute, change.dueMs !== undefined);
    },
    read: (merchant, id) => {
      const dispute = disputes.get(id);
      return dispute?.merchant === merchant ? asRead(dispute) : undefined;
    },
    list: (merchant) => ({
      items: of(merchant).map((dispute) => ({ ...asRead(dispute) })),
      unnamed: 0,
      isWhole: true,
    }),
    summary: (merchant) => summaryOf(of(merchant).map(asRead)),
  };
};

/** The history of a value. */
export interface Timeline<Value> {
  readonly set: (atMs: number, value: Value) => void;
  /** Undefined before the first value. */
  readonly at: (atMs: number) => Value | undefined;
  /** Instants in the span at which the value may change; the first is the span's beginning. */
  readonly changes: (fromMs: number, toMs: number) => readonly number[];
  /** Whether the value matched at any moment of the span, both ends included. */
  readonly everIn: (
    fromMs: number,
    toMs: number,
    fits: (value: Value | undefined) => boolean,
  ) => boolean;
}

export const createTimeline = <Value>(): Timeline<Value> => {
  const turns: { readonly atMs: number; readonly value: Value }[] = [];
  const at = (atMs: number): Value | undefined => {
    for (let place = turns.length - 1; place >= 0; place--) {
      const turn = turns[place];
      if (turn !== undefined && turn.atMs <= atMs) return turn.value;
    }
    return undefined;
  };
  const changes = (fromMs: number, toMs: number): readonly number[] => [
    fromMs,
    ...turns.flatMap(({ atMs }) => (atMs > fromMs && atMs <= toMs ? [atMs] : [])),
  ];
  return {
    set: (atMs, value) => void turns.push({ atMs, value }),
    at,
    changes,
    everIn: (fromMs, toMs, fits) => changes(fromMs, toMs).some((atMs) => fits(at(atMs))),
  };
};
