/** Readers of untrusted JSON: a value of another type reads as absent. */

export type WireFields = Readonly<Record<string, unknown>>;

const NO_FIELDS: WireFields = {};
const NO_ITEMS: readonly unknown[] = [];

export const fieldsOf = (value: unknown): WireFields =>
  typeof value === "object" && value !== null ? (value as WireFields) : NO_FIELDS;

export const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : NO_ITEMS;

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

/** A permission set, which Discord writes as a string of decimal digits. */
export const permissionsOf = (value: unknown): bigint | undefined =>
  typeof value === "string" && /^\d{1,30}$/.test(value) ? BigInt(value) : undefined;

/** The value of a JSON text; undefined for other text. */
export const parseJson = (text: string): unknown => {
  // Most answers of Discord are empty, and an exception costs more than this question.
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Other text, such as an HTML error page, reads as absent fields.
    return undefined;
  }
};

const ID = /^\d{1,20}$/;

/** An id of Discord, in decimal digits. */
export const idOf = (value: unknown): string | undefined => {
  const id = textOf(value);
  return id !== undefined && ID.test(id) ? id : undefined;
};
