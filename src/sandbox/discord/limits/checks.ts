import { isSnowflake } from "../snowflake.ts";

/** Checks a value of a body and reports the problems for which Discord would refuse it. */
export type Check = (value: unknown, path: BodyPath, problems: Problems) => void;

/** Discord counts characters by code points. */
export const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const outOfBounds = (
  min: number,
  max: number,
): { readonly code: string; readonly message: string } =>
  min > 0
    ? { code: "BASE_TYPE_BAD_LENGTH", message: `Must be between ${min} and ${max} in length.` }
    : { code: "BASE_TYPE_MAX_LENGTH", message: `Must be ${max} or fewer in length.` };

export const text =
  (min: number, max: number, pattern?: RegExp): Check =>
  (value, path, problems) => {
    if (typeof value !== "string") {
      problems.add(path, "STRING_TYPE_CONVERT", "Could not interpret as string.");
      return;
    }
    const length = lengthOf(value);
    if (length < min || length > max) {
      const { code, message } = outOfBounds(min, max);
      problems.add(path, code, message);
      return;
    }
    if (pattern !== undefined && !pattern.test(value)) {
      problems.add(path, "STRING_TYPE_REGEX", "String value did not match validation regex.");
    }
  };

/** Text with more than white space. */
export const filledText =
  (max: number): Check =>
  (value, path, problems) => {
    if (typeof value === "string" && value.trim() === "") {
      problems.add(path, "BASE_TYPE_REQUIRED", "This field is required");
      return;
    }
    text(1, max)(value, path, problems);
  };

const number =
  (kind: "int" | "float", min: number, max: number): Check =>
  (value, path, problems) => {
    const fits = kind === "int" ? Number.isInteger(value) : Number.isFinite(value);
    if (typeof value !== "number" || !fits) {
      problems.add(path, "NUMBER_TYPE_COERCE", `Value "${String(value)}" is not ${kind}.`);
    } else if (value > max) {
      const message = `${kind} value should be less than or equal to ${max}.`;
      problems.add(path, "NUMBER_TYPE_MAX", message);
    } else if (value < min) {
      const message = `${kind} value should be greater than or equal to ${min}.`;
      problems.add(path, "NUMBER_TYPE_MIN", message);
    }
  };

export const integer = (min: number, max: number): Check => number("int", min, max);

export const decimal = (): Check =>
  number("float", -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

export const flag: Check = (value, path, problems) => {
  if (typeof value !== "boolean") {
    problems.add(path, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.");
  }
};

export const snowflake: Check = (value, path, problems) => {
  if (!isSnowflake(value)) {
    problems.add(path, "NUMBER_TYPE_COERCE", `Value "${String(value)}" is not snowflake.`);
  }
};

export const among =
  (choices: readonly (string | number)[]): Check =>
  (value, path, problems) => {
    if (!choices.includes(value as string | number)) {
      const message = `Value must be one of {${choices.join(", ")}}.`;
      problems.add(path, "BASE_TYPE_CHOICES", message);
    }
  };

export const link =
  (schemes: readonly string[], max = 2_048): Check =>
  (value, path, problems) => {
    text(1, max)(value, path, problems);
    if (typeof value !== "string") return;
    const scheme = /^([a-z]+):\/\/./i.exec(value)?.[1]?.toLowerCase();
    if (scheme !== undefined && schemes.includes(scheme)) return;
    const named = schemes.map((name) => `'${name}'`).join(", ");
    problems.add(
      path,
      "URL_TYPE_INVALID_SCHEME",
      `Scheme "${scheme ?? ""}" is not supported. Scheme must be one of (${named}).`,
    );
  };

export const moment: Check = (value, path, problems) => {
  if (typeof value !== "string" || Number.isNaN(Date.parse(value))) {
    const message = `Could not parse ${String(value)}. Should be ISO8601.`;
    problems.add(path, "DATE_TIME_TYPE_PARSE", message);
  }
};

export const list =
  (item: Check, min: number, max: number): Check =>
  (value, path, problems) => {
    if (!Array.isArray(value)) {
      problems.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType.");
      return;
    }
    if (value.length < min || value.length > max) {
      const { code, message } = outOfBounds(min, max);
      problems.add(path, code, message);
    }
    for (const [index, entry] of value.entries()) item(entry, [...path, index], problems);
  };

/** A list without duplicates. */
export const uniqueList =
  (item: Check, min: number, max: number): Check =>
  (value, path, problems) => {
    list(item, min, max)(value, path, problems);
    if (!Array.isArray(value) || new Set(value).size === value.length) return;
    problems.add(path, "SET_TYPE_ALREADY_CONTAINS_VALUE", "The set already contains this value");
  };

/** Checks fields of an object together. */
export type Rule = (
  given: Readonly<Record<string, unknown>>,
  path: BodyPath,
  problems: Problems,
) => void;

/** An object. Null counts as absent; unknown fields are ignored, as at Discord. */
export const shape = (
  fields: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
  rule: Rule = () => {},
): Check => {
  const entries = Object.entries(fields);
  return (value, path, problems) => {
    if (!isRecord(value)) {
      problems.add(path, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType");
      return;
    }
    for (const name of required) {
      if (value[name] === undefined || value[name] === null) {
        problems.add([...path, name], "BASE_TYPE_REQUIRED", "This field is required");
      }
    }
    for (const [name, check] of entries) {
      const given = value[name];
      if (given !== undefined && given !== null) check(given, [...path, name], problems);
    }
    rule(value, path, problems);
  };
};

/** Both checks, in this order. */
export const both =
  (first: Check, second: Check): Check =>
  (value, path, problems) => {
    first(value, path, problems);
    second(value, path, problems);
  };

interface Leaf {
  readonly code: string;
  readonly message: string;
}

/** Discord's tree of problems: keys of the body, with `_errors` at its leaves. */
export interface NestedErrors {
  [key: string]: NestedErrors | Leaf[];
}

/** Keys and indexes that lead from the top of the body to a value. */
export type BodyPath = readonly (string | number)[];

/** The problems found in a body. */
export interface Problems {
  readonly add: (path: BodyPath, code: string, message: string) => void;
  readonly count: () => number;
  readonly nested: () => NestedErrors;
}

export const collectProblems = (): Problems => {
  const root: NestedErrors = {};
  let count = 0;
  return {
    add: (path, code, message) => {
      count++;
      let at = root;
      for (const key of path) {
        at[key] ??= {};
        at = at[key] as NestedErrors;
      }
      const leaves = (at["_errors"] ?? []) as Leaf[];
      leaves.push({ code, message });
      at["_errors"] = leaves;
    },
    count: () => count,
    nested: () => root,
  };
};
