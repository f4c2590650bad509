import { createHash } from "node:crypto";
import type { Sale } from "./sale-ledger.ts";

interface Product {
  readonly name: string;
  readonly amountCents: number;
}

const PRODUCTS: readonly [Product, ...Product[]] = [
  { name: "Plano VIP mensal", amountCents: 249_00 },
  { name: "Curso de edição de vídeo", amountCents: 97_00 },
  { name: "Pacote de emojis personalizados", amountCents: 89_50 },
  { name: "Arte para banner", amountCents: 45_90 },
  { name: "Mentoria em grupo", amountCents: 180_00 },
  { name: "Modelo de planilha", amountCents: 19_99 },
];

const MILLISECONDS_OF_A_DAY = 86_400_000;
const FEWEST_SALES = 3;
const SPREAD_OF_SALES = 6;

/**
 * Sales of a merchant on a UTC day, from nothing but the two: the same in every run. None on the quiet weekday
 * (1 Monday to 7 Sunday); on any other day at least two approved ones, one of each origin.
 */
export const seededSales = (
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
  const slot = Math.floor(MILLISECONDS_OF_A_DAY / count);
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

/** The first two stay approved, so that a day with sales never reads as one without. */
const seededStatus = (index: number, die: number): Sale["status"] => {
  if (index < 2) return "approved";
  if (die % 9 === 0) return "refunded";
  return die % 11 === 0 ? "pending" : "approved";
};
