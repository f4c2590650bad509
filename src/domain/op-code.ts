import type { Random } from "../shared/random.ts";

/** Crockford's base 32: nothing in it looks like anything else. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 5;
const CODE = new RegExp(`^(?:W-?)?([${ALPHABET}]{${LENGTH}})$`);

/** Code of an operation: what the person sees and types, `W-7K2Q9`. */
export const newOpCode = (random: Random): string =>
  `W-${Array.from(random.bytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("")}`;

/** The code in what a person typed: small letters, a missing `W-`, and look-alikes (O, I, L) are forgiven. */
export const readOpCode = (text: string): string | undefined => {
  const plain = text.toUpperCase().replace(/\s/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  const code = CODE.exec(plain)?.[1];
  return code === undefined ? undefined : `W-${code}`;
};
