import type { APIEmbed, APIEmbedField } from "discord-api-types/v10";
import type { PageLocale, PageMessage } from "../page-view.ts";
import { element } from "./element.ts";
import { markdownNodes } from "./markdown.ts";
import { renderControls, renderMenu } from "./message-controls.ts";
import type { MessageContext } from "./page-store.ts";
import { textsIn } from "./texts.ts";
import { messageTime } from "./times.ts";

/** Renders a message. `dismiss` removes a private message from the screen. */
export const renderMessage = (
  message: PageMessage,
  context: MessageContext,
  dismiss: () => void,
): HTMLElement => {
  const texts = textsIn(context.view.me.locale);
  const failed = context.attempt?.state === "failed";
  return element(
    "discord-message",
    {
      author: message.author.name,
      avatar: message.author.avatar,
      bot: message.author.bot,
      timestamp: messageTime(Date.parse(message.sentAt), context.view.me.locale, context.now()),
      class: message.private ? "private" : undefined,
      "data-message": message.id,
    },
    answersLine(message, texts.used),
    ...bodyOf(message, context),
    message.edited && message.content !== ""
      ? element("span", { class: "edited" }, ` ${texts.edited}`)
      : null,
    ...message.embeds.map((embed) => renderEmbed(embed, message.images, context)),
    ...message.images
      .filter(({ url }) => message.embeds.every(({ image }) => image?.url !== url))
      .map((image) => renderImage(image, "attachments")),
    ...message.files.map((file) => renderFile(file, context.view.me.locale)),
    ...renderControls(message, context),
    renderMenu(message, context),
    failed ? note("failed", texts.interactionFailed) : null,
    message.private && !message.thinking
      ? note("private-note", texts.onlyYou, { label: texts.dismiss, act: dismiss })
      : null,
  );
};

const bodyOf = (message: PageMessage, context: MessageContext): readonly Node[] =>
  message.thinking
    ? [thinkingDots(textsIn(context.view.me.locale).thinking(context.view.botName))]
    : markdownNodes(message.content, context, false);

export const thinkingDots = (text: string): HTMLElement =>
  element(
    "span",
    { class: "thinking", role: "status" },
    element(
      "span",
      { class: "dots", "aria-hidden": "true" },
      element("i"),
      element("i"),
      element("i"),
    ),
    text,
  );

export const answersLine = (
  message: Pick<PageMessage, "answers">,
  used: string,
): HTMLElement | null =>
  message.answers === null
    ? null
    : element(
        "div",
        { slot: "reply", class: "answers" },
        element("img", { src: message.answers.avatar, alt: "", width: 16, height: 16 }),
        element("strong", {}, message.answers.by),
        element("span", {}, used),
        element("code", {}, message.answers.command),
      );

/** A line under a message, with an optional action. */
export const note = (
  kind: "failed" | "private-note",
  text: string,
  action?: { readonly label: string; readonly act: () => void },
): HTMLElement =>
  element(
    "div",
    { slot: "components", class: kind },
    element("span", {}, text),
    ...(action === undefined
      ? []
      : [
          element("span", { "aria-hidden": "true" }, " • "),
          element(
            "button",
            { type: "button", class: "linklike", onclick: action.act },
            action.label,
          ),
        ]),
  );

const LOOPBACK = new Set(["127.0.0.1", "localhost"]);

/** Whether a file's address is on this machine, by either name of it. */
export const isLocal = (url: string): boolean => LOOPBACK.has(new URL(url).hostname);

/** Shows pictures from this machine only; for other addresses, only their name. */
const renderImage = (
  { url, name }: PageMessage["images"][number],
  slot: "attachments" | "footer",
): HTMLElement => {
  return isLocal(url)
    ? element("img", { slot, class: "attachment", src: url, alt: name })
    : element("span", { slot, class: "attachment-name" }, name);
};

const FIELDS_IN_A_ROW = 3;

/**
 * Renders an embed. Titles are elements of our own: the component's title attributes treat long numbers as emoji and
 * request their pictures from Discord's servers.
 */
const renderEmbed = (
  embed: APIEmbed,
  images: PageMessage["images"],
  context: MessageContext,
): HTMLElement =>
  element(
    "discord-embed",
    { slot: "embeds", color: embed.color === undefined ? undefined : hexColour(embed.color) },
    ...authorOf(embed),
    ...titleOf(embed, context),
    embed.description === undefined
      ? null
      : element(
          "discord-embed-description",
          { slot: "description" },
          ...markdownNodes(embed.description, context, true),
        ),
    fieldsOf(embed.fields ?? [], context),
    ...images
      .filter(({ url }) => url === embed.image?.url)
      .map((image) => renderImage(image, "footer")),
    footerOf(embed, context),
  );

const hexColour = (colour: number): string => `#${colour.toString(16).padStart(6, "0")}`;

const authorOf = ({ author }: APIEmbed): HTMLElement[] =>
  author === undefined
    ? []
    : [element("div", { slot: "description", class: "embed-author" }, author.name)];

const titleOf = ({ title }: APIEmbed, context: MessageContext): HTMLElement[] =>
  title === undefined
    ? []
    : [
        element(
          "div",
          { slot: "description", class: "embed-title" },
          ...markdownNodes(title, context, true),
        ),
      ];

const fieldsOf = (
  fields: readonly APIEmbedField[],
  context: MessageContext,
): HTMLElement | null => {
  if (fields.length === 0) return null;
  const nodes = rowsOf(fields).flatMap((row) =>
    row.map((field, place) =>
      element(
        "discord-embed-field",
        { "data-share": row.length, "data-last": place === row.length - 1 },
        element("div", { class: "field-name" }, ...markdownNodes(field.name, context, true)),
        ...markdownNodes(field.value, context, true),
      ),
    ),
  );
  return element("discord-embed-fields", { slot: "fields" }, ...nodes);
};

/** Groups inline fields into rows of at most three; other fields get a row of their own. */
const rowsOf = (fields: readonly APIEmbedField[]): readonly (readonly APIEmbedField[])[] => {
  const rows: APIEmbedField[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    const joins =
      field.inline === true && last?.[0]?.inline === true && last.length < FIELDS_IN_A_ROW;
    if (joins) last.push(field);
    else rows.push([field]);
  }
  return rows;
};

const footerOf = (
  { footer, timestamp }: APIEmbed,
  { view, now }: MessageContext,
): HTMLElement | null => {
  const parts = [
    footer?.text,
    timestamp === undefined ? undefined : messageTime(Date.parse(timestamp), view.me.locale, now()),
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return null;
  return element(
    "discord-embed-footer",
    { slot: "footer" },
    element("span", {}, parts.join(" • ")),
  );
};

const UNITS = ["byte", "kilobyte", "megabyte"] as const;
const STEP = 1_024;

/** `512 bytes`, `1,5 kB`, `10 MB`. */
export const fileSize = (bytes: number, locale: PageLocale): string => {
  const power = bytes < STEP ? 0 : bytes < STEP * STEP ? 1 : 2;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[power],
    maximumFractionDigits: 1,
  }).format(bytes / STEP ** power);
};

/** A downloadable file under a message. Only files from this machine get a link. */
const renderFile = (
  { name, size, url }: PageMessage["files"][number],
  locale: PageLocale,
): HTMLElement => {
  return element(
    "div",
    { slot: "attachments", class: "file" },
    isLocal(url) ? element("a", { href: url, download: name }, name) : element("span", {}, name),
    element("span", { class: "file-size" }, fileSize(size, locale)),
  );
};
