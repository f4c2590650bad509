import type { ActionInput } from "#src/discord/command.ts";
import { MINIMUM_WITHDRAWAL, parseAmount } from "#src/domain/withdraw-limits.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { guardFields } from "#src/views/money/guards.ts";

const typedSecret = ({ fields }: ActionInput, field: string): Secret | undefined => {
  const typed = (fields.get(field) ?? "").trim();
  return typed === "" ? undefined : new Secret(typed);
};

export const typedCurrent = (input: ActionInput): Secret | undefined =>
  typedSecret(input, guardFields.current);

/** @throws UserError pin_malformed */
export const typedPins = (
  input: ActionInput,
): { readonly pin: Secret; readonly current: Secret | undefined } => {
  const pin = typedSecret(input, guardFields.pin);
  if (pin === undefined) throw new UserError({ kind: "pin_malformed" });
  return { pin, current: typedCurrent(input) };
};

/**
 * The limit as it was typed; undefined for none. One below the least that can be withdrawn would be a lock by another name.
 * @throws UserError cap_unreadable, cap_below_minimum
 */
export const typedCap = ({ fields }: ActionInput): Cents | undefined => {
  const given = (fields.get(guardFields.cap) ?? "").trim();
  if (given === "") return undefined;
  const reading = parseAmount(given);
  if (reading.kind !== "amount") throw new UserError({ kind: "cap_unreadable", given });
  const { amount } = reading;
  if (amount < MINIMUM_WITHDRAWAL)
    throw new UserError({ kind: "cap_below_minimum", amount, minimum: MINIMUM_WITHDRAWAL });
  return amount;
};
