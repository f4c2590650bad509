import { UserError } from "./errors.ts";
import { byLocale } from "./locale.ts";
import { typedText } from "./typed-text.ts";

declare const centsBrand: unique symbol;

/** An amount in centavos: a safe integer, negative when money went out. */
export type Cents = number & { readonly [centsBrand]: true };

/** In centavos. Far beyond any amount, and far below where a JSON number would lose centavos or take an exponent. */
export const LARGEST_AMOUNT = 1e13;
/** Floating-point error of a two-place amount, in centavos. */
const TOLERANCE = 1e-6;
const NO_BREAK_SPACE = "\u00a0";

/** @throws RangeError when the value is not a safe integer. */
export const cents = (value: number): Cents => {
  if (!Number.isSafeInteger(value)) throw new RangeError("An amount must be whole centavos");
  return value as Cents;
};

/**
 * Converts a JSON amount in reais to centavos, rounded once. Undefined when it is infinite, NaN or absurdly large.
 * Source: service.md 1 (JSON numbers with two places).
 */
export const centsFromReais = (reais: number): Cents | undefined => {
  if (!Number.isFinite(reais) || Math.abs(reais) * 100 > LARGEST_AMOUNT) return undefined;
  const rounded = Math.round(reais * 100);
  return cents(rounded === 0 ? 0 : rounded);
};

/** Whether `centsFromReais` would round the amount. */
export const isFinerThanCents = (reais: number): boolean => {
  const rounded = Math.round(reais * 100);
  const tolerance = Math.max(TOLERANCE, Math.abs(rounded) * 2 * Number.EPSILON);
  return Math.abs(reais * 100 - rounded) > tolerance;
};

/** `R$ 1.234,56`, with a no-break space so that the amount stays on one line. */
export const formatReais = (amount: Cents): string => {
  const digits = String(Math.abs(amount)).padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ".");
  return `${amount < 0 ? "-" : ""}R$${NO_BREAK_SPACE}${whole},${digits.slice(-2)}`;
};

/** `R$ 1,234.56` in English. */
export const formatReaisIn = byLocale(formatReais, (amount) =>
  formatReais(amount).replace(/[.,]/g, (mark) => (mark === "." ? "," : ".")),
);

/** Characters of a typed amount, with room for spaces and words. */
export const LONGEST_AMOUNT = 30;

/** A typed amount. `too_fine`: three or more decimals after a comma, which may mean thousands. */
type AmountReading =
  | { readonly kind: "amount"; readonly amount: Cents }
  | { readonly kind: "all" }
  | { readonly kind: "too_fine" }
  | { readonly kind: "too_large" }
  | { readonly kind: "unreadable" };

const WHOLE_BALANCE: ReadonlySet<string> = new Set(["tudo", "all"]);

/** Each form captures the whole reais and the optional decimals. No text has two readings. */
const AMOUNT_FORMS: readonly RegExp[] = [
  /^(?<whole>\d+)(?:,(?<part>\d{1,2}))?$/,
  /^(?<whole>[1-9]\d{0,2}(?:\.\d{3})+)(?:,(?<part>\d{1,2}))?$/,
  /^(?<whole>\d+)\.(?<part>\d{1,2})$/,
  /^(?<whole>[1-9]\d{0,2}(?:,\d{3})+)\.(?<part>\d{2})$/,
];
const TOO_FINE = /^\d[\d.]*,\d{3,}$/;

/**
 * Parses an amount as Brazilians type it: `50`, `50,00`, `1234.56`, `1.234,56`, `R$ 50`. `1.234` is one thousand two
 * hundred and thirty-four. Never negative.
 */
export const parseAmount = (text: string): AmountReading => {
  const plain = typedText(text)
    .toLowerCase()
    .replace(/^r\$\s*/, "")
    .replace(/\s*rea(?:is|l)$/, "");
  if (WHOLE_BALANCE.has(plain)) return { kind: "all" };
  if (TOO_FINE.test(plain)) return { kind: "too_fine" };
  for (const form of AMOUNT_FORMS) {
    const { whole, part = "" } = form.exec(plain)?.groups ?? {};
    if (whole === undefined) continue;
    const digits = whole.replace(/[.,]/g, "");
    const amount = Number(`${digits}${part.padEnd(2, "0")}`);
    return amount > LARGEST_AMOUNT
      ? { kind: "too_large" }
      : { kind: "amount", amount: cents(amount) };
  }
  return { kind: "unreadable" };
};

/**
 * A typed amount in centavos.
 * @throws UserError amount_too_fine, amount_too_large; `unreadable` for all other text, also for `tudo`
 */
export const typedCents = (
  given: string,
  unreadable:
    | "amount_unreadable"
    | "cap_unreadable"
    | "charge_amount_unreadable"
    | "goal_unreadable"
    | "minimum_unreadable",
): Cents => {
  const reading = parseAmount(given);
  if (reading.kind === "amount") return reading.amount;
  const kinds = {
    too_fine: "amount_too_fine",
    too_large: "amount_too_large",
    all: unreadable,
    unreadable,
  } as const;
  throw new UserError({ kind: kinds[reading.kind], given });
};
