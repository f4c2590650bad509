const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
/** Controls, bidirectional and zero-width marks, tags, variation selectors, fillers, halves of pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
const ELLIPSIS = "…";

/** The first `max` code points, the last one an ellipsis when something was left out. */
const cutCodePoints = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const points = Array.from(text);
  return points.length <= max ? text : points.slice(0, max - 1).join("") + ELLIPSIS;
};

/**
 * A stranger's text as one line of what can be seen, without back-ticks, at most `max` code points. For files and other
 * places where nothing but line breaks and hidden characters has a meaning; in messages use `safe`.
 */
export const plainLine = (text: string, max: number): string => {
  const line = text
    .replace(BREAKS, " ")
    .replace(UNSEEN, "")
    // Only now: removing a mark can join a letter and its accent, and U+1FEF composes to a back-tick.
    .normalize("NFC")
    .replaceAll("`", "'")
    .replace(/\s+/g, " ")
    .trim();
  return cutCodePoints(line, max);
};
