import * as z from "zod";

import type { RefundFact } from "../domain/dispute.ts";

const MOST_FACTS = 8;
const MOST_LEVELS = 2;

const factsIn = (value: unknown, name: string, levels: number): readonly RefundFact[] => {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return [{ name, value: String(value) }];
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || levels === 0)
    return [];
  return Object.entries(value).flatMap(([inner, each]: [string, unknown]) =>
    factsIn(each, name === "" ? inner : `${name}.${inner}`, levels - 1),
  );
};

/**
 * The state of a refund. Its fields are not documented (service.md 2.5), so that whatever single values it has are kept
 * under their own names, as they came; a refund of which nothing can be told is none the less one.
 */
export const wireRefund = z
  .unknown()
  .optional()
  .transform((refund): readonly RefundFact[] | undefined =>
    refund === undefined || refund === null
      ? undefined
      : factsIn(refund, "", MOST_LEVELS).slice(0, MOST_FACTS),
  );
