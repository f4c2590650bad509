import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";
import { isValidMobilePhone } from "@brazilian-utils/brazilian-utils/is-valid-mobile-phone";

export type PixKeyType = "cpf" | "cnpj" | "email" | "phone" | "random";

/** A PIX key as the network writes it. Source: product notes 4. */
export interface PixKey {
  /** `unknown`: no form that we know; the service decides. */
  readonly type: PixKeyType | "unknown";
  /** Normalised: digits of a CPF, upper case of a CNPJ, lower case of an e-mail or a random key, E.164 of a phone. */
  readonly value: string;
  /** Check digits or form are wrong, although it looks like that type: worth a warning. */
  readonly suspect: boolean;
}

/** What was typed: a key, or eleven digits that are both a valid CPF and a mobile number. */
export type PixKeyReading =
  | { readonly kind: "key"; readonly key: PixKey }
  | { readonly kind: "cpf_or_phone"; readonly cpf: PixKey; readonly phone: PixKey }
  | { readonly kind: "unusable" };

const LONGEST = 140;
const LONGEST_EMAIL = 77;
const EMAIL =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const RANDOM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const RANDOM_WITHOUT_DASHES = /^[0-9a-f]{32}$/;
const BARE_ELEVEN = /^\d{11}$/;
const CPF_WRITTEN = /^\d{3}[.\s]?\d{3}[.\s]?\d{3}[-\s/]?\d{2}$/;
const PHONE_WRITTEN =
  /^\(?\d{2}\)?[\s-]*\d[\s.]?\d{4}[-\s.]?\d{4}$|^\(\d{2}\)[\s-]*\d{4}[-\s.]?\d{4}$/;
const WITH_COUNTRY = /^(?:\+[\d\s().-]+|55\d{11})$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;
const MOBILE = /^\+55\d{2}9\d{8}$/;

const digitsOf = (text: string): string => text.replace(/\D/g, "");

const isMobile = (e164: string): boolean => MOBILE.test(e164) && isValidMobilePhone(e164);

const phoneOf = (value: string): PixKey => ({ type: "phone", value, suspect: !isMobile(value) });

/** Eleven digits as a CPF. */
export const asCpf = (digits: string): PixKey => ({
  type: "cpf",
  value: digits,
  suspect: !isValidCpf(digits),
});

/** Area code and number as a Brazilian phone. */
export const asPhone = (digits: string): PixKey => phoneOf(`+55${digits}`);

const key = (value: PixKey): PixKeyReading => ({ kind: "key", key: value });

/** About one mobile number in a hundred is a valid CPF too: only its owner knows. */
const readElevenDigits = (digits: string): PixKeyReading => {
  const [cpf, phone] = [asCpf(digits), asPhone(digits)];
  if (!cpf.suspect && !phone.suspect) return { kind: "cpf_or_phone", cpf, phone };
  return key(phone.suspect ? cpf : phone);
};

/**
 * Tells the type of a typed key and writes it as the network does. Punctuation decides between CPF and phone; a form that
 * is not known is kept as it is. Source: product notes 4.
 */
export const readPixKey = (text: string): PixKeyReading => {
  const typed = text.replace(/[\p{Cc}\p{Cf}]/gu, "").trim();
  if (typed === "" || typed.length > LONGEST) return { kind: "unusable" };
  const lower = typed.toLowerCase();
  if (typed.includes("@")) {
    const suspect = lower.length > LONGEST_EMAIL || !EMAIL.test(lower);
    return key({ type: "email", value: lower, suspect });
  }
  if (RANDOM.test(lower)) return key({ type: "random", value: lower, suspect: false });
  if (RANDOM_WITHOUT_DASHES.test(lower))
    return key({ type: "random", value: lower, suspect: true });
  if (WITH_COUNTRY.test(typed)) return key(phoneOf(`+${digitsOf(typed)}`));
  if (BARE_ELEVEN.test(typed)) return readElevenDigits(typed);
  if (CPF_WRITTEN.test(typed)) return key(asCpf(digitsOf(typed)));
  if (PHONE_WRITTEN.test(typed)) return key(asPhone(digitsOf(typed)));
  const company = typed.replace(/[\s./-]/g, "").toUpperCase();
  if (CNPJ.test(company)) {
    return key({ type: "cnpj", value: company, suspect: !isValidCnpj(company, { version: 2 }) });
  }
  return key({ type: "unknown", value: typed, suspect: false });
};

/** Both ends of something long, nothing of something short. */
const maskMiddle = (text: string, shown: number): string => {
  const characters = Array.from(text);
  if (characters.length < 4 * shown) return "****";
  return `${characters.slice(0, shown).join("")}****${characters.slice(-shown).join("")}`;
};

/** Enough for its owner to know the key by, and no more: `***.456.789-**`, `j***@d***`, `+55 11 *****-4321`. */
export const maskPixKey = ({ type, value }: PixKey): string => {
  switch (type) {
    case "cpf":
      return `***.${value.slice(3, 6)}.${value.slice(6, 9)}-**`;
    case "cnpj":
      return `**.${value.slice(2, 5)}.${value.slice(5, 8)}/****-**`;
    case "email": {
      const [user = "", domain = ""] = value.split("@");
      return `${Array.from(user).at(0) ?? ""}***@${Array.from(domain).at(0) ?? ""}***`;
    }
    case "phone":
      return MOBILE.test(value)
        ? `+55 ${value.slice(3, 5)} *****-${value.slice(-4)}`
        : maskMiddle(value, 2);
    case "random":
      return maskMiddle(value, 4);
    case "unknown":
    default:
      return maskMiddle(value, 2);
  }
};
