declare const centsBrand: unique symbol;

/** An amount in centavos: a safe integer, negative when money went out. */
export type Cents = number & { readonly [centsBrand]: true };

const LARGEST_AMOUNT = 1e11;
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
  if (!Number.isFinite(reais) || Math.abs(reais) > LARGEST_AMOUNT) return undefined;
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
