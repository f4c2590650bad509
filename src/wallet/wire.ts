import * as z from "zod";
import { isWireId } from "../shared/ids.ts";
import {
  type Cents,
  cents,
  centsFromReais,
  isFinerThanCents,
  LARGEST_AMOUNT,
} from "../shared/money.ts";
import type { OpenEnum } from "../withdrawals/withdrawal.ts";
import type { ParseResult } from "./operation.ts";
import { secretForms, SHORTEST_SECRET } from "../shared/secret.ts";

/** The JSON object or array in a body, or undefined for anything else. */
export const jsonBody = (body: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(body.startsWith("\ufeff") ? body.slice(1) : body);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

/** The `success` field of a body; undefined when it is missing. */
export const successOf = (answer: object): unknown =>
  "success" in answer ? answer.success : undefined;

/** The one documented failure body without `success`. Source: service.md 4.2, 7.2. */
export const saysNotFound = (answer: object): boolean =>
  "error" in answer && answer.error === "Not Found";

const PROBLEMS_KEPT = 5;

/** A JSON amount in reais, as centavos. */
export const wireMoney = z.number().transform((reais, context) => {
  const amount = centsFromReais(reais);
  if (amount !== undefined) return amount;
  context.addIssue("Not an amount of money");
  return z.NEVER;
});

/** Whether an amount can be sent: above zero, as a JSON number in reais with at most two decimals. */
export const isSendable = (amount: Cents): boolean =>
  Number.isSafeInteger(amount) && amount > 0 && amount <= LARGEST_AMOUNT;

/** A JSON number with three or more decimals. Fractions of seconds do not match: their zone follows. */
const FINE_NUMBER = /[[:,]\s*(-?\d+\.\d{3,}(?:[eE][+-]?\d+)?)(?=\s*[,}\]])/g;

/** Whether a body has a number finer than centavos, which is rounded where it is an amount. */
export const hasFineNumber = (body: string): boolean =>
  body.matchAll(FINE_NUMBER).some(([, figure]) => isFinerThanCents(Number(figure)));

const DECIMAL = /^(-?\d{1,11})(?:[.,](\d{1,2}))?$/;

/** An amount in reais as a decimal string, such as `7.35`, as centavos. */
export const wireDecimal = z
  .string()
  .regex(DECIMAL)
  .transform((decimal) => {
    const [, reais = "", fraction = ""] = DECIMAL.exec(decimal) ?? [];
    return cents(Number(reais + fraction.padEnd(2, "0")) || 0);
  });

/** An amount in either form, where the document does not say which. */
export const wireAmount = z.union([wireMoney, wireDecimal]);

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

const EARLIEST = Temporal.Instant.from("0000-01-01T00:00:00Z");
/** Times that mean "never", or that are in microseconds, are cut to this one: later ones could not be stored. */
const LATEST = Temporal.Instant.from("9000-01-01T00:00:00Z");

const storable = (instant: Temporal.Instant): Temporal.Instant => {
  if (Temporal.Instant.compare(instant, EARLIEST) < 0) return EARLIEST;
  return Temporal.Instant.compare(instant, LATEST) > 0 ? LATEST : instant;
};

const instantOf = (text: string): Temporal.Instant | undefined => {
  if (!ISO_INSTANT.test(text)) return undefined;
  try {
    return storable(Temporal.Instant.from(text));
  } catch {
    // Right in form and impossible in fact, such as a 30th of February.
    return undefined;
  }
};

/** An ISO 8601 time with its offset. */
export const wireInstant = z.string().transform((text, context) => {
  const instant = instantOf(text);
  if (instant !== undefined) return instant;
  context.addIssue("Not an ISO 8601 instant");
  return z.NEVER;
});

const LATEST_EPOCH_MS = 8.64e15;

const wireEpochMs = z
  .int()
  .nonnegative()
  .max(LATEST_EPOCH_MS)
  .transform((ms) => storable(Temporal.Instant.fromEpochMilliseconds(ms)));

/** A time in either form, where the document does not settle on one. */
export const wireTime = z.union([wireInstant, wireEpochMs]);

/** An identifier: present and not absurdly long. */
export const wireId = z.string().min(1).max(256);

/** An identifier that later requests put into a path. */
export const wirePathId = z.string().refine(isWireId);

/** A value of an enumeration that may have grown: `wireEnum<"pending" | "approved">()`. */
export const wireEnum = <Known extends string>() =>
  wireId.transform((value): OpenEnum<Known> => value);

/** The same where the spelling is not settled: a known word counts in capitals and between spaces too. */
export const wireWord = <const Known extends string>(known: readonly Known[]) =>
  wireId.transform((value): OpenEnum<Known> => {
    const word = value.trim().toLowerCase();
    return known.find((each) => each === word) ?? value;
  });

/** "Or null", and absent all the same: both become undefined. */
export const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** An optional field: a value of another type than the document's counts as absent, and the rest is still read. */
export const optionalOrIgnored = <Schema extends z.ZodType>(schema: Schema) =>
  orNull(schema).catch(undefined);

/** Several times the longest text of a view: a pattern that looks for the end of a text may hold up the process in a longer one. */
const LONGEST_TEXT = 4_000;

const isBlank = (text: string): boolean => text.trim() === "";

const shownText = (text: string): string | undefined =>
  isBlank(text) ? undefined : text.slice(0, LONGEST_TEXT);

/** An optional text, which is only shown or compared: a long one is cut, and a blank one counts as absent. */
export const wireText = optionalOrIgnored(z.string().transform(shownText));

const LONGEST_LINE = 256;

/** A text that is shown in a line: a long one is cut, so that the other fields are still read. */
export const lineText = z
  .string()
  .transform((text) => Array.from(text).slice(0, LONGEST_LINE).join(""));

const wireTextsOfFields = z.record(z.string(), z.unknown()).transform((fields) => {
  const texts = Object.values(fields).filter((each) => typeof each === "string");
  return texts.filter((text) => !isBlank(text)).join(", ");
});

/** The same, or the texts of an object, where the document does not say which. */
export const wireTexts = optionalOrIgnored(
  z.union([z.string(), wireTextsOfFields]).transform(shownText),
);

/** Reads a value by a schema; undefined for a value of another type. */
export const readAs =
  <T>(schema: z.ZodType<T>) =>
  (value: unknown): T | undefined =>
    schema.safeParse(value).data;

/**
 * Reads a body by a schema; unknown fields are ignored. Problems name fields only: zod's own messages could quote
 * values.
 */
export const readerOf =
  <T>(schema: z.ZodType<T>) =>
  (answer: unknown): ParseResult<T> => {
    const parsed = schema.safeParse(answer);
    if (parsed.success) return { ok: true, value: parsed.data };
    const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.code}`);
    return { ok: false, problems: problems.slice(0, PROBLEMS_KEPT) };
  };

/** Whether a value from outside contains a secret of ours in one of its texts, plain or in a usual encoding. */
export const repeatsSecret = (value: unknown, secret: string): boolean => {
  if (typeof value === "object" && value !== null) {
    return Object.values(value).some((inner) => repeatsSecret(inner, secret));
  }
  // No encoding is shorter than the secret itself.
  if (typeof value !== "string" || value.length < secret.length) return false;
  return (
    secret.length >= SHORTEST_SECRET && secretForms(secret).some((form) => value.includes(form))
  );
};
