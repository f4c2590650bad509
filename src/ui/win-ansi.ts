/** Characters beyond Latin-1 in the standard PDF fonts. Source: PDF 32000-1, annex D. */
const EXTRA = new Set("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ");
const LATIN = /^[\x20-\x7e\xa1-\xff]$/;
const NO_BREAK_SPACE = "\u00a0";

/** The text in characters of the standard fonts; a question mark replaces each other character. */
export const winAnsi = (text: string): { readonly text: string; readonly whole: boolean } => {
  let whole = true;
  const drawn = Array.from(text, (point) => {
    if (LATIN.test(point) || EXTRA.has(point)) return point;
    if (point === NO_BREAK_SPACE) return " ";
    whole = false;
    return "?";
  }).join("");
  return { text: drawn, whole };
};
