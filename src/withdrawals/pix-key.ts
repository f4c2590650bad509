import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";
import { isValidMobilePhone } from "@brazilian-utils/brazilian-utils/is-valid-mobile-phone";
import type { Withdrawal } from "./withdrawal.ts";

type PixKeyType = "cpf" | "cnpj" | "email" | "phone" | "random";

/** A PIX key in the network's format. */
export interface PixKey {
  /** `unknown`: an unknown format; the service decides. */
  readonly type: PixKeyType | "unknown";
  /** Normalised: CPF as digits, CNPJ in upper case, e-mail and random key in lower case, phone as E.164. */
  readonly value: string;
  /** Looks like its type but has wrong check digits or format: worth a warning. */
  readonly suspect: boolean;
}

/** A typed key. Eleven digits may be both a valid CPF and a mobile number. */
export type PixKeyReading =
  | { readonly kind: "key"; readonly key: PixKey }
  | { readonly kind: "cpf_or_phone"; readonly cpf: PixKey; readonly phone: PixKey }
  | { readonly kind: "unusable" };

const LONGEST = 140;
const LONGEST_EMAIL = 77;
const EMAIL =
  /^[a-z0-9.!#$&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const RANDOM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const RANDOM_WITHOUT_DASHES =
  /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;
const BARE_ELEVEN = /^\d{11}$/;
const CPF_WRITTEN = /^\d{3}[.\s]?\d{3}[.\s]?\d{3}[-\s/]?\d{2}$/;
const PHONE_WRITTEN =
  /^\(?\d{2}\)?[\s-]*\d[\s.]?\d{4}[-\s.]?\d{4}$|^\(\d{2}\)[\s-]*\d{4}[-\s.]?\d{4}$/;
/** With a country code that lacks its plus, a trunk zero, or dots; the rest is area code and number. */
const MOBILE_WRITTEN =
  /^(?:55[\s.-]*\(?|\(?0?)(?<number>[1-9]\d\)?[\s.-]*9[\s.]?\d{4}[\s.-]?\d{4})$/;
const WITH_COUNTRY = /^(?:\+(?=.*\d)[\d\s().-]+|55\d{11})$/;
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;
const MOBILE = /^\+55\d{2}9\d{8}$/;

/** Longer than the first group of a written CNPJ. */
const WORD_BEFORE = /^[a-z]{3,}\s/i;
const DASHES = /[\u2010-\u2015\u2212]/g;
/** Words that people copy together with a key; a named group is the type that they say. */
const LABELS =
  /^(?:(?:chave|pix)(?:\s*:\s*|\s+))*(?:(?:(?<cpf>cpf)|(?<cnpj>cnpj)|(?<phone>tel(?:efone)?|cel(?:ular)?|fone)|(?<email>e-?mail))(?:\s*:\s*|\s+))?/i;

const digitsOf = (text: string): string => text.replace(/\D/g, "");

const isMobile = (e164: string): boolean => MOBILE.test(e164) && isValidMobilePhone(e164);

const phoneOf = (value: string): PixKey => ({ type: "phone", value, suspect: !isMobile(value) });

export const asCpf = (digits: string): PixKey => ({
  type: "cpf",
  value: digits,
  suspect: !isValidCpf(digits),
});

export const asPhone = (digits: string): PixKey => phoneOf(`+55${digits}`);

const key = (value: PixKey): PixKeyReading => ({ kind: "key", key: value });

/** About one mobile number in a hundred is also a valid CPF: only the person can tell. */
const readElevenDigits = (digits: string): PixKeyReading => {
  const [cpf, phone] = [asCpf(digits), asPhone(digits)];
  if (!cpf.suspect && !phone.suspect) return { kind: "cpf_or_phone", cpf, phone };
  return key(phone.suspect ? cpf : phone);
};

/** A key alone, in plain characters; undefined for an unknown format. Punctuation tells CPF from phone. */
const readBareKey = (plain: string): PixKeyReading | undefined => {
  const lower = plain.toLowerCase().normalize("NFKC");
  if (plain.includes("@")) {
    const suspect = lower.length > LONGEST_EMAIL || !EMAIL.test(lower);
    return key({ type: "email", value: lower, suspect });
  }
  const random = lower.replace(RANDOM_WITHOUT_DASHES, "$1-$2-$3-$4-$5");
  if (RANDOM.test(random)) return key({ type: "random", value: random, suspect: false });
  if (WITH_COUNTRY.test(plain)) return key(phoneOf(`+${digitsOf(plain)}`));
  if (BARE_ELEVEN.test(plain)) return readElevenDigits(plain);
  const closed = plain.replace(/\s*-\s*/g, "-");
  if (CPF_WRITTEN.test(closed)) return key(asCpf(digitsOf(closed)));
  const number = MOBILE_WRITTEN.exec(closed)?.groups?.["number"];
  if (number !== undefined) return key(asPhone(digitsOf(number)));
  if (PHONE_WRITTEN.test(closed)) return key(asPhone(digitsOf(closed)));
  const company = plain.replace(/[\s./-]/g, "").toUpperCase();
  if (!CNPJ.test(company) || WORD_BEFORE.test(plain)) return undefined;
  return key({ type: "cnpj", value: company, suspect: !isValidCnpj(company, { version: 2 }) });
};

/** A key after the word for its type, which no format may contradict. */
const readLabelled = (rest: string, type: string | undefined): PixKeyReading | undefined => {
  const reading = LABELS.exec(rest)?.[0] === "" ? readBareKey(rest) : undefined;
  if (type === undefined) return reading;
  if (type === "cpf" && BARE_ELEVEN.test(rest)) return key(asCpf(rest));
  if (type === "phone" && BARE_ELEVEN.test(rest)) return key(asPhone(rest));
  return reading?.kind === "key" && reading.key.type === type ? reading : undefined;
};

/** Detects a key's type and normalises it. A text of unknown format, or of another type than it names, stays unchanged. */
export const readPixKey = (text: string): PixKeyReading => {
  const typed = text.replace(/[\p{Cc}\p{Cf}]/gu, "").trim();
  const composed = typed.normalize("NFKC").trim();
  // A long dash in an e-mail may have been two short ones.
  const plain = composed.includes("@") ? composed : composed.replace(DASHES, "-");
  if (typed === "" || Math.max(typed.length, plain.length) > LONGEST) return { kind: "unusable" };
  const labels = LABELS.exec(plain);
  const [type] = Object.entries(labels?.groups ?? {}).find(([, word]) => word !== undefined) ?? [];
  const reading = readLabelled(plain.slice(labels?.[0].length), type);
  return reading ?? key({ type: "unknown", value: typed, suspect: false });
};

/**
 * A key of `readPixKey`, from its normalised value alone, which never changes here. Read anew, the digits of a mistyped
 * CPF would be a stranger's phone number.
 */
export const storedPixKey = (value: string): PixKey => {
  if (BARE_ELEVEN.test(value)) return asCpf(value);
  const read = readPixKey(value);
  const isSame = read.kind === "key" && read.key.value === value;
  return isSame ? read.key : { type: "unknown", value, suspect: true };
};

/** The service's key. Its type decides when digits could be a CPF or a phone number. */
export const destinationOf = ({
  pixKey,
  pixKeyType,
}: Pick<Withdrawal, "pixKey" | "pixKeyType">): PixKey => {
  if (pixKeyType === "CPF" && BARE_ELEVEN.test(pixKey)) return asCpf(pixKey);
  const reading = readPixKey(pixKey);
  if (reading.kind === "key") return reading.key;
  if (reading.kind === "cpf_or_phone") return pixKeyType === "CPF" ? reading.cpf : reading.phone;
  return { type: "unknown", value: pixKey, suspect: true };
};

/** Shows both ends of a long text, and hides a short text completely. */
const maskMiddle = (text: string, shown: number): string => {
  const characters = Array.from(text);
  if (characters.length < 4 * shown) return "****";
  return `${characters.slice(0, shown).join("")}****${characters.slice(-shown).join("")}`;
};

/** Shows just enough for the owner to recognise the key: `***.456.789-**`, `j***@d***`, `+55 11 *****-4321`. */
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

/** For a receipt, whose reader has to recognise the key: `j***o@dominio.com.br`. Not stored. */
export const readableMask = (key: PixKey): string => {
  if (key.type !== "email") return maskPixKey(key);
  const [user = "", domain = ""] = key.value.split("@");
  const letters = Array.from(user);
  const last = letters.length > 2 ? letters.at(-1) : "";
  return `${letters.at(0) ?? ""}***${last}@${domain}`;
};

/** The type of a key that `maskPixKey` masked: each has a form of its own. */
export const maskedType = (masked: string): PixKey["type"] => {
  if (/^\*{3}\.\d{3}\.\d{3}-\*{2}$/.test(masked)) return "cpf";
  if (/^\*{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/\*{4}-\*{2}$/.test(masked)) return "cnpj";
  if (/^.?\*{3}@.?\*{3}$/u.test(masked)) return "email";
  if (/^\+55 \d{2} \*{5}-\d{4}$/.test(masked) || /^\+\d\*{4}\d{2}$/.test(masked)) return "phone";
  return /^[0-9a-f-]{4}\*{4}[0-9a-f]{4}$/.test(masked) ? "random" : "unknown";
};

/** Visible characters that a mask needs for a match: with fewer, other people's keys match too. */
const LEAST_VISIBLE = 4;

/** Names of key types and of the field, which the service may write beside the key. */
const TYPE_WORDS =
  /\b(?:cpf|cnpj|e-?mail|phone|telefone|celular|tel|evp|aleat[oó]ria|random|chave|key|pix|uuid)\b/g;
/** Characters that always hide other characters. */
const HIDING = /[*•●·∙○◦#?_█■□▪×…]/u;
/** Letters and digits that may hide others: a run of dots or of X, or one character five times. */
const HIDING_RUN = /\.{2,}|x{2,}|([0-9a-z])\1{4,}/;
/** Dots in places that an e-mail address cannot have. */
const ODD_DOT = /^\.|\.$|\.@|@\./;

/** Letters and digits only, normalised (NFKC) and in lower case. */
const bare = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const withoutWords = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replace(TYPE_WORDS, " ");

/** Whether `whole` contains the characters of `part` in order, as a shortened key does. */
const isPartOf = (part: string, whole: string): boolean => {
  let at = 0;
  for (const character of whole) if (character === part[at]) at++;
  return at === part.length;
};

/** Spellings of a normalised key without punctuation: a phone may lack its country code. */
const bareForms = (ours: string): readonly string[] => {
  const form = bare(ours);
  return ours.startsWith("+55") ? [form, form.slice(2)] : [form];
};

const hides = (text: string): boolean =>
  HIDING.test(text) || HIDING_RUN.test(text) || ODD_DOT.test(text);

/**
 * Whether the text is a complete key of a known type: valid check digits, no hiding characters, ASCII only. Any other
 * text may stand for any key.
 */
export const isDefinite = (theirs: string): boolean => {
  const form = theirs.normalize("NFKC").toLowerCase();
  if (/[^\x20-\x7e]/.test(form) || hides(form)) return false;
  const reading = readPixKey(theirs);
  if (reading.kind === "unusable") return false;
  if (reading.kind === "cpf_or_phone") return true;
  return reading.key.type !== "unknown" && !reading.key.suspect;
};

/** Whether the texts are equal except for characters replaced by `x` or `0`. */
const isCrossedOut = (ours: string, theirs: string): boolean =>
  ours.length === theirs.length &&
  ["x", "0"].some((filler) =>
    Array.from(theirs).every(
      (character, index) => character === filler || character === ours[index],
    ),
  );

/** Whether `theirs` could be a spelling of our key: whole, shortened, extended or with characters replaced. */
const resembles = (ours: string, theirs: string): boolean => {
  const written = [bare(theirs), bare(withoutWords(theirs))];
  return bareForms(ours).some((form) =>
    written.some((text) => text.includes(form) || isPartOf(text, form) || isCrossedOut(form, text)),
  );
};

/** Visible parts of a mask, in order, without punctuation. */
const visibleParts = (theirs: string): readonly string[] =>
  withoutWords(theirs)
    .split(/[*•●∙○◦#?█■□▪×…]|\.{2,}|x{2,}/u)
    .map(bare)
    .filter((part) => part !== "");

/** Whether `theirs` is a mask of our key: enough visible characters, in our key's order, its ends at our key's ends. */
const fitsMask = (ours: string, theirs: string): boolean => {
  const form = withoutWords(theirs).trim();
  if (!hides(form)) return false;
  const parts = visibleParts(theirs);
  if (parts.join("").length < LEAST_VISIBLE) return false;
  const [first = "", last = ""] = [parts.at(0), parts.at(-1)];
  const opens = form.startsWith("+") || /^[\p{L}\p{N}(]/u.test(form);
  const closes = /[\p{L}\p{N}]$/u.test(form) && !/x{2,}$/.test(form);
  return bareForms(ours).some((whole) => {
    if (opens && !whole.startsWith(first) && !/^x{2,}/.test(form)) return false;
    if (closes && !whole.endsWith(last)) return false;
    let from = 0;
    return parts.every((part) => {
      const at = whole.indexOf(part, from);
      from = at + part.length;
      return at >= 0;
    });
  });
};

/** The normalised keys that a text may stand for. */
export const keyWritings = (text: string): readonly string[] => {
  const reading = readPixKey(text);
  if (reading.kind === "unusable") return [];
  if (reading.kind === "cpf_or_phone") return [reading.cpf.value, reading.phone.value];
  const { type, value } = reading.key;
  // The digits of a mistyped CPF are sent as they are, and would be read as a phone number.
  const digits = text.trim();
  return type === "phone" && BARE_ELEVEN.test(digits) ? [digits, value] : [value];
};

/** No spelling of a key with its type and its mask is longer. */
const LONGEST_SPELLING = 512;

/**
 * Compares our normalised key with the service's text. Its format and masking are undocumented (service.md 2.2).
 * - `same`: the same key, or a mask that fits it.
 * - `other`: certainly another key: complete, of a known type, and no possible spelling of ours.
 * - `unclear`: may be ours.
 */
export const comparePixKeys = (ours: string, theirs: string): "same" | "other" | "unclear" => {
  if (ours === theirs || keyWritings(theirs).includes(ours)) return "same";
  // The search for punctuation at its end takes time by the square of a length that the service decides.
  if (theirs.length > LONGEST_SPELLING) return "unclear";
  const named = withoutWords(theirs).replace(/^[\s:=-]+|[\s:=-]+$/g, "");
  if (keyWritings(named).includes(ours)) return "same";
  // Dots distinguish e-mail addresses; in other keys they are punctuation.
  if (!ours.includes("@") && bare(ours) === bare(theirs)) return "same";
  if (fitsMask(ours, theirs)) return "same";
  const whole = isDefinite(ours) && isDefinite(theirs);
  return whole && !resembles(ours, theirs) ? "other" : "unclear";
};
