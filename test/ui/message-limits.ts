import type { APIEmbed } from "discord-api-types/v10";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import type { Modal, Reply } from "#src/ui/reply.ts";

const lengthOf = (text: string | undefined): number => text?.length ?? 0;

const embedSize = ({ title, description, fields = [], footer }: APIEmbed): number =>
  lengthOf(title) +
  lengthOf(description) +
  lengthOf(footer?.text) +
  fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);

const brokenByEmbed = (embed: APIEmbed): string[] => {
  const { title, description, fields = [], footer } = embed;
  const broken: readonly (readonly [boolean, string])[] = [
    [lengthOf(title) > 256, "title"],
    [lengthOf(description) > 4096, "description"],
    [fields.length > 25, "fields"],
    [fields.some(({ name }) => name.trim() === "" || name.length > 256), "field name"],
    [fields.some(({ value }) => value.trim() === "" || value.length > 1024), "field value"],
    [lengthOf(footer?.text) > 2048, "footer"],
    [embedSize(embed) === 0, "empty embed"],
  ];
  return broken.flatMap(([is, what]) => (is ? [what] : []));
};

const brokenByRows = (rows: NonNullable<Reply["components"]>): string[] => {
  const pieces = rows.flatMap(({ components }) => components);
  const ids = pieces.flatMap((piece) => ("custom_id" in piece ? [piece.custom_id] : []));
  const labels = pieces.flatMap((piece) => ("label" in piece ? [piece.label ?? ""] : []));
  const menus = pieces.flatMap((piece) => ("options" in piece ? [piece] : []));
  const options = menus.flatMap((menu) => menu.options);
  const broken: readonly (readonly [boolean, string])[] = [
    [rows.some(({ components }) => components.length < 1 || components.length > 5), "row"],
    [menus.some((menu) => menu.options.length < 1 || menu.options.length > 25), "options"],
    [
      menus.some((menu) => new Set(menu.options.map((o) => o.value)).size !== menu.options.length),
      "repeated option",
    ],
    [options.some(({ value }) => value.length < 1 || value.length > 100), "option value"],
    [options.some(({ label }) => label.length < 1 || label.length > 100), "option label"],
    [menus.some(({ placeholder = "" }) => placeholder.length > 150), "placeholder"],
    [rows.length > 5, "rows"],
    [ids.some((id) => id.length === 0 || id.length > 100), "custom id"],
    [new Set(ids).size !== ids.length, "repeated custom id"],
    [labels.some((label) => label.length === 0 || label.length > 80), "label"],
  ];
  return broken.flatMap(([is, what]) => (is ? [what] : []));
};

/** Names of Discord's limits that a message breaks, counted in UTF-16 units, the strictest way. */
export const brokenLimits = ({
  content,
  embeds = [],
  components = [],
}: DeliveryPayload): string[] => [
  ...(lengthOf(content) > 2000 ? ["content"] : []),
  ...(embeds.length > 10 ? ["embeds"] : []),
  ...(embeds.reduce((sum, embed) => sum + embedSize(embed), 0) > 6000 ? ["total"] : []),
  ...embeds.flatMap(brokenByEmbed),
  ...brokenByRows(components),
];

export const brokenModalLimits = ({ title, fields }: Modal): string[] => [
  ...(title.length > 45 ? ["title"] : []),
  ...(fields.length < 1 || fields.length > 5 ? ["fields"] : []),
  ...fields.flatMap(({ label, placeholder = "" }) =>
    label.length > 45 || placeholder.length > 100 ? [label] : [],
  ),
];
