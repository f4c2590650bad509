import { readPixKey } from "./pix-key.ts";

/** How many visible characters a mask must leave for a match: with fewer, keys of other people look the same. */
const LEAST_VISIBLE = 4;

/** Names of key types and of the field, which a service may write beside the key. */
const WORDS =
  /\b(?:cpf|cnpj|e-?mail|phone|telefone|celular|tel|evp|aleat[oó]ria|random|chave|key|pix|uuid)\b/g;
/** Characters that stand for hidden ones wherever they appear. */
const HIDING = /[*•●·∙○◦#?_█■□▪×…]/u;
/** Letters and digits that hide: a run of dots or of the letter X, or five times the same character. */
const HIDING_RUN = /\.{2,}|x{2,}|([0-9a-z])\1{4,}/;
/** Dots where no e-mail address has them. */
const ODD_DOT = /^\.|\.$|\.@|@\./;

/** Letters and digits alone, lower case, in the plain form of each character. */
const bare = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const withoutWords = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replace(WORDS, " ");

/** Whether all characters of `part` stand in `whole`, in that order: what is left of a key that was shortened. */
const isPartOf = (part: string, whole: string): boolean => {
  let at = 0;
  for (const character of whole) if (character === part[at]) at++;
  return at === part.length;
};

/** Writings of a normalised key without punctuation: a phone may be written without its country. */
const bareForms = (ours: string): readonly string[] => {
  const form = bare(ours);
  return ours.startsWith("+55") ? [form, form.slice(2)] : [form];
};

const hides = (text: string): boolean =>
  HIDING.test(text) || HIDING_RUN.test(text) || ODD_DOT.test(text);

/**
 * Whether the form is a definite key of a known type, and whole: check digits hold, no character hides another one, and
 * no letter is from elsewhere. Any other form may be a way to write any key.
 */
const isDefinite = (theirs: string): boolean => {
  const form = theirs.normalize("NFKC").toLowerCase();
  if (/[^\x20-\x7e]/.test(form) || hides(form)) return false;
  const reading = readPixKey(theirs);
  if (reading.kind === "unusable") return false;
  if (reading.kind === "cpf_or_phone") return true;
  return reading.key.type !== "unknown" && !reading.key.suspect;
};

/** Whether characters were crossed out by a letter or a digit that a key may hold too. */
const isCrossedOut = (ours: string, theirs: string): boolean =>
  ours.length === theirs.length &&
  ["x", "0"].some((filler) =>
    Array.from(theirs).every(
      (character, index) => character === filler || character === ours[index],
    ),
  );

/** Whether `theirs` could be written for one of our forms, whole, shortened, lengthened or with letters crossed out. */
const resembles = (ours: string, theirs: string): boolean => {
  const written = [bare(theirs), bare(withoutWords(theirs))];
  return bareForms(ours).some((form) =>
    written.some((text) => text.includes(form) || isPartOf(text, form) || isCrossedOut(form, text)),
  );
};

/** What stays visible of a mask, in order: parts between hidden characters, without punctuation. */
const visibleParts = (theirs: string): readonly string[] =>
  withoutWords(theirs)
    .split(/[*•●∙○◦#?█■□▪×…]|\.{2,}|x{2,}/u)
    .map(bare)
    .filter((part) => part !== "");

/** A mask that leaves enough visible, all of it standing in our key in that order, its ends at the key's ends. */
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

/** The normalised keys that a writing may stand for. */
export const keyWritings = (text: string): readonly string[] => {
  const reading = readPixKey(text);
  if (reading.kind === "unusable") return [];
  if (reading.kind === "cpf_or_phone") return [reading.cpf.value, reading.phone.value];
  return [reading.key.value];
};

/**
 * Whether the service's writing of a key is ours, which is normalised: how it writes keys is not documented, nor whether
 * it masks them (service.md 2.2).
 * - `same`: the same key, or a mask that fits it.
 * - `other`: another key without doubt: whole, of a known type, and nothing that ours could be written as.
 * - `unclear`: everything else. It may be ours.
 */
export const comparePixKeys = (ours: string, theirs: string): "same" | "other" | "unclear" => {
  if (ours === theirs || keyWritings(theirs).includes(ours)) return "same";
  const named = withoutWords(theirs).replace(/^[\s:=-]+|[\s:=-]+$/g, "");
  if (keyWritings(named).includes(ours)) return "same";
  // The dots of an e-mail address tell two of them apart; in every other key they are punctuation.
  if (!ours.includes("@") && bare(ours) === bare(theirs)) return "same";
  if (fitsMask(ours, theirs)) return "same";
  const whole = isDefinite(ours) && isDefinite(theirs);
  return whole && !resembles(ours, theirs) ? "other" : "unclear";
};
