/** A piece of a message's text: the part of Discord's markdown that the bot and its readers use. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bold" | "italic" | "underline" | "strike"; readonly pieces: readonly Piece[] }
  | { readonly kind: "code" | "block"; readonly text: string }
  | { readonly kind: "quote" | "subtext" | "bullet"; readonly pieces: readonly Piece[] }
  | { readonly kind: "heading"; readonly level: 1 | 2 | 3; readonly pieces: readonly Piece[] }
  | { readonly kind: "link"; readonly url: string; readonly pieces: readonly Piece[] }
  | { readonly kind: "mention"; readonly of: "user" | "channel" | "role"; readonly id: string }
  | { readonly kind: "command"; readonly name: string }
  | { readonly kind: "time"; readonly seconds: number; readonly style: string }
  | { readonly kind: "line" };

type Rule = readonly [pattern: RegExp, make: (match: RegExpExecArray) => Piece];

const group = (match: RegExpExecArray, at: number): string => match[at] ?? "";

const INLINE_RULES: readonly Rule[] = [
  [/\\([\\*_~`|<>[\]()#@:.-])/y, (match) => ({ kind: "text", text: group(match, 1) })],
  [/```(?:[\w+-]*\n)?([\s\S]+?)\n?```\n?/y, (match) => ({ kind: "block", text: group(match, 1) })],
  [/(`+)(?!`)([\s\S]*?[^`])\1(?!`)/y, (match) => ({ kind: "code", text: group(match, 2) })],
  [/<@!?(\d{17,20})>/y, (match) => ({ kind: "mention", of: "user", id: group(match, 1) })],
  [/<@&(\d{17,20})>/y, (match) => ({ kind: "mention", of: "role", id: group(match, 1) })],
  [/<#(\d{17,20})>/y, (match) => ({ kind: "mention", of: "channel", id: group(match, 1) })],
  [/<\/([^:>\n]{1,100}):\d{17,20}>/y, (match) => ({ kind: "command", name: group(match, 1) })],
  [
    /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y,
    (match) => ({ kind: "time", seconds: Number(group(match, 1)), style: match[2] ?? "f" }),
  ],
  [
    /\[([^\]\n]+)\]\(<?(https:\/\/[^\s<>)]+)>?\)/y,
    (match) => ({ kind: "link", url: group(match, 2), pieces: inline(group(match, 1)) }),
  ],
  [
    /<?(https:\/\/[^\s<>]*[^\s<>.,:;!?)\]'"])>?/y,
    (match) => ({
      kind: "link",
      url: group(match, 1),
      pieces: [{ kind: "text", text: group(match, 1) }],
    }),
  ],
  [/\*\*([\s\S]+?)\*\*(?!\*)/y, (match) => ({ kind: "bold", pieces: inline(group(match, 1)) })],
  [/__([\s\S]+?)__(?!_)/y, (match) => ({ kind: "underline", pieces: inline(group(match, 1)) })],
  [/~~([\s\S]+?)~~/y, (match) => ({ kind: "strike", pieces: inline(group(match, 1)) })],
  [/\*(?!\s)([^*\n]+?)\*/y, (match) => ({ kind: "italic", pieces: inline(group(match, 1)) })],
  [/_(?!\s)([^_\n]+?)_(?!\w)/y, (match) => ({ kind: "italic", pieces: inline(group(match, 1)) })],
  [/\n/y, () => ({ kind: "line" })],
];

const LINE_RULES: readonly Rule[] = [
  [
    /(#{1,3}) +([^\n]+)\n?/y,
    (match) => ({
      kind: "heading",
      level: group(match, 1).length as 1 | 2 | 3,
      pieces: inline(group(match, 2)),
    }),
  ],
  [/-# +([^\n]+)\n?/y, (match) => ({ kind: "subtext", pieces: inline(group(match, 1)) })],
  [/> ([^\n]+)\n?/y, (match) => ({ kind: "quote", pieces: inline(group(match, 1)) })],
  [/[-*] +([^\n]+)\n?/y, (match) => ({ kind: "bullet", pieces: inline(group(match, 1)) })],
];

/** Characters at which a rule may begin; between them is plain text. */
const PLAIN = /(?:(?!https:\/\/)[^\\`<[*_~\n])+/y;

/** Text of a message or of an embed, in pieces. Never fails: what is no markdown is text. */
export const parseMarkdown = (text: string): readonly Piece[] => read(text, true);

const inline = (text: string): readonly Piece[] => read(text, false);

const read = (text: string, lines: boolean): readonly Piece[] => {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < text.length) {
    const atLineStart = lines && (at === 0 || text[at - 1] === "\n");
    const found =
      (atLineStart ? firstMatch(LINE_RULES, text, at) : undefined) ??
      firstMatch(INLINE_RULES, text, at);
    if (found !== undefined) {
      pieces.push(found.piece);
      at = found.end;
      continue;
    }
    PLAIN.lastIndex = at;
    const plain = PLAIN.exec(text)?.[0] ?? text.charAt(at);
    pieces.push({ kind: "text", text: plain });
    at += plain.length;
  }
  return pieces;
};

const firstMatch = (
  rules: readonly Rule[],
  text: string,
  at: number,
): { readonly piece: Piece; readonly end: number } | undefined => {
  for (const [pattern, make] of rules) {
    const sticky = new RegExp(pattern);
    sticky.lastIndex = at;
    const match = sticky.exec(text);
    if (match !== null) return { piece: make(match), end: sticky.lastIndex };
  }
  return undefined;
};
