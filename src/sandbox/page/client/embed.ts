import type { APIEmbed, APIEmbedField } from "discord-api-types/v10";
import { element } from "./element.ts";
import { markdownNodes } from "./markdown-nodes.ts";
import type { MessageContext } from "./message-context.ts";
import { messageTime } from "./times.ts";

const FIELDS_IN_A_ROW = 3;

/**
 * An embed. Titles are nodes of ours: the component's own title attributes take any long number for an emoji and ask
 * Discord's servers for its picture.
 */
export const renderEmbed = (embed: APIEmbed, context: MessageContext): HTMLElement =>
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

/** Inline fields stand beside one another, three to a row at most; any other has a row of its own. */
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
