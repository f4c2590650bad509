import { z } from "zod";
import { isSnowflake } from "../snowflake.ts";

/** Discord counts characters by code points. */
export const lengthOf = (text: string): number => Array.from(text).length;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const text = (min: number, max: number) =>
  z
    .string()
    .refine(
      (given) => lengthOf(given) >= min && lengthOf(given) <= max,
      `Must be between ${min} and ${max} in length.`,
    );

/** Text with more than white space. */
export const filledText = (max: number) =>
  text(1, max).refine((given) => given.trim() !== "", "This field is required");

export const snowflake = z.string().refine(isSnowflake, "Value is not snowflake.");

/** Fields that may be absent; Discord takes null for absent. */
export const flag = z.boolean().nullish();

export const link = (schemes: readonly string[], max = 2_048) =>
  text(1, max).refine(
    (url) => schemes.includes(/^([a-z]+):\/\/./i.exec(url)?.[1]?.toLowerCase() ?? ""),
    `Scheme must be one of (${schemes.join(", ")}).`,
  );

export const areUnique = (values: readonly unknown[]): boolean =>
  new Set(values).size === values.length;

/** Discord's tree of problems: keys of the body, with `_errors` at its leaves. */
export interface NestedErrors {
  [key: string]: NestedErrors | { readonly code: string; readonly message: string }[];
}

/** The problems by their places. Their codes and most messages are not those of Discord. */
export const nestedErrors = (error: z.ZodError | undefined): NestedErrors => {
  const root: NestedErrors = {};
  for (const { path, code, message } of error?.issues ?? []) {
    let at = root;
    for (const key of path) at = (at[String(key)] ??= {}) as NestedErrors;
    at["_errors"] = [{ code, message }];
  }
  return root;
};
