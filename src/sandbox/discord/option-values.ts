import { lengthOf } from "./limits/checks.ts";
import type { OptionLike } from "./limits/command-options.ts";
import { OPTION } from "./limits/command-options.ts";
import { isSnowflake } from "./snowflake.ts";

export type OptionValue = string | boolean | number;

const isBetween = (value: number, low: number | undefined, high: number | undefined): boolean =>
  value >= (low ?? -Infinity) && value <= (high ?? Infinity);

const fitsText = (option: OptionLike, value: OptionValue): boolean =>
  typeof value === "string" &&
  isBetween(lengthOf(value), option.min_length, option.max_length ?? 6_000);

const fitsNumber = (option: OptionLike, value: OptionValue): boolean =>
  typeof value === "number" &&
  Number.isFinite(value) &&
  (option.type === OPTION.NUMBER || Number.isSafeInteger(value)) &&
  isBetween(value, option.min_value, option.max_value);

/** Whether Discord's client would send this value for this option. */
export const fitsOption = (option: OptionLike, value: OptionValue): boolean => {
  if (option.choices?.length) return option.choices.some((choice) => choice.value === value);
  switch (option.type) {
    case OPTION.STRING:
      return fitsText(option, value);
    case OPTION.INTEGER:
    case OPTION.NUMBER:
      return fitsNumber(option, value);
    case OPTION.BOOLEAN:
      return typeof value === "boolean";
    default:
      return isSnowflake(value);
  }
};
