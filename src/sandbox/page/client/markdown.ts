import { element } from "./element.ts";
import type { MessageContext } from "./page-store.ts";
import { timestampText } from "./times.ts";

/** A parsed piece of a message's text. Covers the part of Discord's markdown that the bot uses. */
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

/** Plain text up to the next character at which a rule may match. */
const PLAIN = /(?:(?!https:\/\/)[^\\`<[*_~\n])+/y;

/** Parses the text of a message or an embed. Never fails: invalid markdown stays text. */
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

/** Renders text as nodes. `inEmbed` only changes the style of code. */
export const markdownNodes = (
  text: string,
  context: MessageContext,
  inEmbed: boolean,
): readonly Node[] => {
  const nodeOf = (piece: Piece): Node => {
    const inside = (pieces: readonly Piece[]): readonly Node[] => pieces.map(nodeOf);
    switch (piece.kind) {
      case "text":
        return document.createTextNode(piece.text);
      case "line":
        return element("br");
      case "bold":
        return element("strong", {}, ...inside(piece.pieces));
      case "italic":
        return element("em", {}, ...inside(piece.pieces));
      case "underline":
        return element("u", {}, ...inside(piece.pieces));
      case "strike":
        return element("s", {}, ...inside(piece.pieces));
      case "code":
        return element("discord-code", { embed: inEmbed }, piece.text);
      case "block":
        return element("discord-code", { multiline: true, embed: inEmbed }, piece.text);
      case "quote":
        return element("blockquote", {}, ...inside(piece.pieces));
      case "subtext":
        return element("small", { class: "subtext" }, ...inside(piece.pieces));
      case "bullet":
        return element("div", { class: "bullet" }, ...inside(piece.pieces));
      case "heading":
        return element(
          "div",
          { class: `heading-${piece.level}`, role: "heading", "aria-level": piece.level + 2 },
          ...inside(piece.pieces),
        );
      case "link":
        return link(piece.url, inside(piece.pieces));
      case "mention":
        return mention(piece, context);
      case "command":
        return commandMention(`/${piece.name}`);
      case "time":
        break;
    }
    return time(piece, context);
  };
  return parseMarkdown(text).map(nodeOf);
};

/** As in Discord's client, a link to a channel opens the channel in place. */
const CHANNEL_LINK = /^https:\/\/discord\.com\/channels\/\d+(?:\/(\d+))?/;

const link = (url: string, inside: readonly Node[]): HTMLElement => {
  const channel = CHANNEL_LINK.exec(url);
  if (channel === null) {
    return element("a", { href: url, target: "_blank", rel: "noreferrer noopener" }, ...inside);
  }
  const attributes = { type: "button", class: "linklike", "data-channel": channel[1] ?? "" };
  return element("button", attributes, ...inside);
};

const mention = (
  { of, id }: { readonly of: "user" | "channel" | "role"; readonly id: string },
  { view }: MessageContext,
): Node => {
  const known = { channel: view.channels, role: view.roles, user: view.people }[of];
  const name = known.find((each) => each.id === id)?.name;
  return element("discord-mention", { type: of }, name ?? id);
};

const commandMention = (line: string): HTMLElement =>
  element("button", { type: "button", class: "command-mention", "data-command": line }, line);

const time = (
  { seconds, style }: { readonly seconds: number; readonly style: string },
  { view, now }: MessageContext,
): Node => {
  const { locale } = view.me;
  return element(
    "discord-time",
    {
      title: timestampText(seconds * 1_000, "F", locale, now()),
      "data-seconds": seconds,
      "data-style": style,
      // A relative time changes by itself, and the list's live region would read each change aloud.
      "aria-live": "off",
    },
    timestampText(seconds * 1_000, style, locale, now()),
  );
};

/** Updates relative times ("há 5 minutos") without redrawing messages. */
export const refreshTimes = (root: ParentNode, { view, now }: MessageContext): void => {
  for (const node of root.querySelectorAll<HTMLElement>("[data-style='R']")) {
    const text = timestampText(Number(node.dataset["seconds"]) * 1_000, "R", view.me.locale, now());
    if (node.textContent !== text) node.textContent = text;
  }
};
