import { cents, type Cents } from "../shared/money.ts";

/** What somebody typed as an amount. `too_fine`: three decimals or more after a comma, which may be a thousand or not. */
export type AmountReading =
  | { readonly kind: "amount"; readonly amount: Cents }
  | { readonly kind: "all" }
  | { readonly kind: "too_fine" }
  | { readonly kind: "unreadable" };

const EVERYTHING: ReadonlySet<string> = new Set(["tudo", "all"]);

/** Each names the whole reais and, where it has them, the decimals. No two of them read one text differently. */
const FORMS: readonly RegExp[] = [
  /^(?<whole>\d+)(?:,(?<part>\d{1,2}))?$/,
  /^(?<whole>[1-9]\d{0,2}(?:\.\d{3})+)(?:,(?<part>\d{1,2}))?$/,
  /^(?<whole>\d+)\.(?<part>\d{1,2})$/,
  /^(?<whole>[1-9]\d{0,2}(?:,\d{3})+)\.(?<part>\d{2})$/,
];
const TOO_FINE = /^\d[\d.]*,\d{3,}$/;
/** Beyond any balance, and far within what a number holds exactly. */
const MOST_DIGITS = 12;

/**
 * An amount in reais as Brazilians type it: `50`, `50,00`, `1234.56`, `1.234,56`, `R$ 50`; `1.234` is one thousand two
 * hundred and thirty-four. Never negative. Source: product notes 4.
 */
export const parseAmount = (text: string): AmountReading => {
  const plain = text
    .trim()
    .toLowerCase()
    .replace(/^r\$\s*/, "")
    .replace(/\s*rea(?:is|l)$/, "");
  if (EVERYTHING.has(plain)) return { kind: "all" };
  if (TOO_FINE.test(plain)) return { kind: "too_fine" };
  for (const form of FORMS) {
    const { whole, part = "" } = form.exec(plain)?.groups ?? {};
    if (whole === undefined) continue;
    const digits = whole.replace(/[.,]/g, "");
    if (digits.length > MOST_DIGITS) break;
    return { kind: "amount", amount: cents(Number(`${digits}${part.padEnd(2, "0")}`)) };
  }
  return { kind: "unreadable" };
};
