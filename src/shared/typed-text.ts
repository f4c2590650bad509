const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
/** Controls, bidirectional and zero-width marks, tags, variation selectors, fillers, halves of pairs. */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** A text as its reader sees it: one line of visible characters, with single plain blanks. */
export const seenText = (text: string): string =>
  text
    .replace(BREAKS, " ")
    .replace(UNSEEN, "")
    // Only after the removal, which can join a letter and its accent.
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .trim();

/** Overrides show the characters after them in another order than they are read. */
const OVERRIDE = /[\u202d\u202e]/;

/** A typed text as its writer sees it; with an override it stays as it is, for its reader to refuse. */
export const typedText = (text: string): string => (OVERRIDE.test(text) ? text : seenText(text));
