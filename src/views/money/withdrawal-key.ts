import { asCpf, maskPixKey, readPixKey } from "../../domain/pix-key.ts";
import type { PixKey } from "../../domain/pix-key.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { Withdrawal } from "../../domain/withdrawal.ts";
import type { Texts } from "../../texts/texts.ts";
import { safe } from "../safe.ts";
import { keyTypeInWords } from "./withdrawal-words.ts";

const KEY_LENGTH = 80;
const ELEVEN_DIGITS = /^\d{11}$/;

/** The service's key, read by the type that the service names where digits alone could be two things. */
const keyOf = ({ pixKey, pixKeyType }: Withdrawal): PixKey => {
  if (pixKeyType === "CPF" && ELEVEN_DIGITS.test(pixKey)) return asCpf(pixKey);
  const reading = readPixKey(pixKey);
  if (reading.kind === "key") return reading.key;
  if (reading.kind === "cpf_or_phone") return pixKeyType === "CPF" ? reading.cpf : reading.phone;
  return { type: "unknown", value: pixKey, suspect: true };
};

/** The destination as it is shown: never the key itself. Undefined when nobody knows it. */
export const maskedKeyOf = (
  op: WithdrawOp | undefined,
  withdrawal: Withdrawal | undefined,
): string | undefined => {
  if (op !== undefined && op.pixKeyMasked !== "") return op.pixKeyMasked;
  return withdrawal === undefined ? undefined : maskPixKey(keyOf(withdrawal));
};

/** The destination, masked, with the type that the service names. */
export const keyInWords = (
  op: WithdrawOp | undefined,
  withdrawal: Withdrawal | undefined,
  texts: Texts,
): string => {
  const masked = maskedKeyOf(op, withdrawal);
  if (masked === undefined) return texts.withdrawals.notKnown;
  const shown = safe(masked, KEY_LENGTH);
  return withdrawal === undefined
    ? shown
    : `${shown} (${keyTypeInWords(withdrawal.pixKeyType, texts)})`;
};
