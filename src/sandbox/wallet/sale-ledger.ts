import { createHash } from "node:crypto";
import { DAY } from "../../shared/time.ts";

export type SaleOrigin = "api" | "esales";

export interface Sale {
  readonly txid: string;
  readonly origin: SaleOrigin;
  readonly amountCents: number;
  readonly product: string;
  readonly at: Temporal.Instant;
  /** The report counts approved sales only. */
  readonly status: "pending" | "approved" | "refunded";
  /** As the service shows it; "Pagador do sandbox" when left out. */
  readonly payerName?: string;
  /** Set for sales that were refunded while the sandbox runs. */
  readonly refundedAt?: Temporal.Instant;
  /** Of a sale that begins as a charge; `at` becomes the time of its payment. */
  readonly charge?: {
    readonly code: string;
    readonly createdAt: Temporal.Instant;
    readonly expiresAt: Temporal.Instant;
  };
}

const FEE_PERCENT = 6;

/** The fee of a payment. Source: service.md 1; the rounding is this sandbox's. */
export const paymentFeeCents = (amountCents: number): number =>
  Math.round((amountCents * FEE_PERCENT) / 100);

export type SaleLedger = ReturnType<typeof createSaleLedger>;

const utcDay = (instant: Temporal.Instant): Temporal.PlainDate =>
  instant.toZonedDateTimeISO("UTC").toPlainDate();

const isAfter = (left: Temporal.PlainDate, right: Temporal.PlainDate): boolean =>
  Temporal.PlainDate.compare(left, right) > 0;

const byInstant = (left: Sale, right: Sale): number => Temporal.Instant.compare(left.at, right.at);

interface SeededSpan {
  readonly since: Temporal.PlainDate;
  /** When the sandbox started: earlier sales are history. */
  readonly start: Temporal.Instant;
  /** 1 Monday to 7 Sunday. */
  readonly quietWeekday: number;
}

/**
 * Sales of one merchant: invented sales of each day since the start of `span`, if given, and sales added while the
 * sandbox runs.
 */
export const createSaleLedger = (merchantId: string, span: SeededSpan | undefined) => {
  const seeded = new Map<string, readonly Sale[]>();
  const added: Sale[] = [];
  const refunded = new Map<string, Temporal.Instant>();

  const seededOn = (day: Temporal.PlainDate): readonly Sale[] => {
    if (span === undefined || isAfter(span.since, day)) return [];
    const known = seeded.get(day.toString());
    if (known !== undefined) return known;
    const sales = seededSales(merchantId, day, span.quietWeekday);
    seeded.set(day.toString(), sales);
    return sales;
  };
  const seededUntil = (last: Temporal.PlainDate): readonly Sale[] => {
    const found: Sale[] = [];
    if (span === undefined) return found;
    for (let day = span.since; !isAfter(day, last); day = day.add({ days: 1 }))
      found.push(...seededOn(day));
    return found;
  };
  const isHistory = ({ at }: Sale): boolean =>
    span !== undefined && Temporal.Instant.compare(at, span.start) <= 0;

  /** The sales that have happened by `now`, as they were then. */
  const asOf = (sales: readonly Sale[], now: Temporal.Instant): readonly Sale[] =>
    sales
      .filter((sale) => Temporal.Instant.compare(sale.at, now) <= 0)
      .map((sale) => {
        const refundedAt = refunded.get(sale.txid);
        if (refundedAt === undefined || Temporal.Instant.compare(refundedAt, now) > 0) return sale;
        return { ...sale, status: "refunded", refundedAt };
      });

  return {
    /** Sales of one UTC day that have happened by `now`, oldest first. */
    ofDay: (day: Temporal.PlainDate, now: Temporal.Instant): readonly Sale[] =>
      asOf(
        [...seededOn(day), ...added.filter((sale) => utcDay(sale.at).equals(day))],
        now,
      ).toSorted(byInstant),
    /** Newest first. */
    all: (now: Temporal.Instant): readonly Sale[] =>
      asOf([...seededUntil(utcDay(now)), ...added], now)
        .toSorted(byInstant)
        .toReversed(),
    find: (txid: string, now: Temporal.Instant): Sale | undefined => {
      const live = added.find((sale) => sale.txid === txid);
      const sale = live ?? seededUntil(utcDay(now)).find((candidate) => candidate.txid === txid);
      return sale === undefined ? undefined : asOf([sale], now)[0];
    },
    add: (sale: Sale): void => {
      added.push(sale);
    },
    /** Sales added while the sandbox runs that have happened by `now`. */
    added: (now: Temporal.Instant): readonly Sale[] => asOf(added, now),
    /** Refunds a sale from `at` on. */
    refund: (txid: string, at: Temporal.Instant): void => {
      if (!refunded.has(txid)) refunded.set(txid, at);
    },
    /** All sales since the sandbox started that have happened by `now`. */
    sinceStart: (now: Temporal.Instant): readonly Sale[] =>
      asOf([...seededUntil(utcDay(now)).filter((sale) => !isHistory(sale)), ...added], now),
    /** Sales from before the start that were refunded by `now`, while the sandbox runs. */
    refundedHistory: (now: Temporal.Instant): readonly Sale[] =>
      asOf(seededUntil(utcDay(now)).filter(isHistory), now).filter(
        ({ refundedAt }) => refundedAt !== undefined,
      ),
    /** Replaces a sale added while the sandbox runs. */
    replace: (sale: Sale): void => {
      const place = added.findIndex(({ txid }) => txid === sale.txid);
      if (place !== -1) added[place] = sale;
    },
    /** Sales that began as charges, oldest first. */
    charges: (): readonly Sale[] => added.filter(({ charge }) => charge !== undefined),
  };
};

const PRODUCTS = [
  { name: "Plano VIP mensal", amountCents: 249_00 },
  { name: "Curso de edição de vídeo", amountCents: 97_00 },
  { name: "Pacote de emojis personalizados", amountCents: 89_50 },
  { name: "Arte para banner", amountCents: 45_90 },
  { name: "Mentoria em grupo", amountCents: 180_00 },
  { name: "Modelo de planilha", amountCents: 19_99 },
] as const;

const FEWEST_SALES = 3;
const SPREAD_OF_SALES = 6;

/**
 * Invented sales of a merchant on a UTC day, the same in every run. The quiet weekday has no sales; any other day has
 * at least two approved sales, one of each origin.
 */
const seededSales = (
  merchantId: string,
  day: Temporal.PlainDate,
  quietWeekday: number,
): readonly Sale[] => {
  if (day.dayOfWeek === quietWeekday) return [];
  const dice = createHash("sha256").update(`${merchantId}|${day.toString()}`).digest();
  const count = FEWEST_SALES + (dice.readUInt8(0) % SPREAD_OF_SALES);
  return Array.from({ length: count }, (_, index) => seededSale(merchantId, day, index, count));
};

const seededSale = (
  merchantId: string,
  day: Temporal.PlainDate,
  index: number,
  count: number,
): Sale => {
  const digest = createHash("sha256").update(`${merchantId}|${day.toString()}|${index}`).digest();
  const product = PRODUCTS[digest.readUInt8(0) % PRODUCTS.length] ?? PRODUCTS[0];
  const slot = Math.floor(DAY / count);
  const offset = index * slot + (digest.readUInt32BE(1) % slot);
  return {
    txid: digest.toString("hex", 8, 20),
    origin: index % 2 === 0 ? "api" : "esales",
    amountCents: product.amountCents,
    product: product.name,
    at: day.toZonedDateTime("UTC").toInstant().add({ milliseconds: offset }),
    status: seededStatus(index, digest.readUInt8(5)),
  };
};

/** The first two stay approved, so that the report of a day with sales is never empty. */
const seededStatus = (index: number, die: number): Sale["status"] => {
  if (index < 2) return "approved";
  if (die % 9 === 0) return "refunded";
  return die % 11 === 0 ? "pending" : "approved";
};
