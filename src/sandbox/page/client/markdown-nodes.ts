import { element } from "./element.ts";
import { parseMarkdown } from "./markdown.ts";
import type { Piece } from "./markdown.ts";
import type { MessageContext } from "./message-context.ts";
import { timestampText } from "./times.ts";

/** The text as nodes. `inEmbed` only changes how code looks. */
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

/** As in Discord's client, a link to a channel opens that channel and no new page. */
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
    },
    timestampText(seconds * 1_000, style, locale, now()),
  );
};

/** Brings "há 5 minutos" up to date without drawing the messages anew. */
export const refreshTimes = (root: ParentNode, { view, now }: MessageContext): void => {
  for (const node of root.querySelectorAll<HTMLElement>("[data-style='R']")) {
    const text = timestampText(Number(node.dataset["seconds"]) * 1_000, "R", view.me.locale, now());
    if (node.textContent !== text) node.textContent = text;
  }
};
