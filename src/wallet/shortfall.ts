import * as z from "zod";

import type { Cents } from "../shared/money.ts";
import { readerOf, wireDecimal } from "./wire.ts";

const readShortfall = readerOf(
  z.object({
    details: z.object({ availableSplitBalance: wireDecimal, minimumWithdrawal: wireDecimal }),
  }),
);

/**
 * The one refusal that is told apart, by its `details`: the split balance is below the minimum. Undefined for any
 * other. Source: service.md 4.1 (failure bodies).
 */
export const shortfallIn = (
  refusal: object,
): { readonly available: Cents; readonly minimum: Cents } | undefined => {
  const reading = readShortfall(refusal);
  if (!reading.valid) return undefined;
  const { availableSplitBalance, minimumWithdrawal } = reading.value.details;
  return { available: availableSplitBalance, minimum: minimumWithdrawal };
};
