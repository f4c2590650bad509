import type { APIEmbed } from "discord-api-types/v10";
import {
  both,
  filledText,
  flag,
  integer,
  lengthOf,
  link,
  list,
  moment,
  shape,
  text,
} from "./checks.ts";
import type { Check } from "./checks.ts";
import type { BodyPath, Problems } from "./problems.ts";

const MOST_CHARACTERS = 6_000;

const anyLink = link(["http", "https"]);
const mediaLink = link(["http", "https", "attachment"]);
const media = shape({ url: mediaLink }, ["url"]);

const hasSomething = (embed: APIEmbed): boolean =>
  Boolean(
    embed.title ||
    embed.description ||
    embed.fields?.length ||
    embed.image ||
    embed.thumbnail ||
    embed.footer?.text ||
    embed.author?.name,
  );

const notEmpty: Check = (value, path, problems) => {
  if (typeof value !== "object" || value === null || hasSomething(value)) return;
  problems.add(path, "BASE_TYPE_REQUIRED", "This field is required");
};

const embed = both(
  shape({
    title: text(0, 256),
    description: text(0, 4_096),
    url: anyLink,
    color: integer(0, 0xffffff),
    timestamp: moment,
    footer: shape({ text: text(0, 2_048), icon_url: mediaLink }, ["text"]),
    image: media,
    thumbnail: media,
    author: shape({ name: text(0, 256), url: anyLink, icon_url: mediaLink }, ["name"]),
    fields: list(
      shape({ name: filledText(256), value: filledText(1_024), inline: flag }, ["name", "value"]),
      0,
      25,
    ),
  }),
  notEmpty,
);

const sizeOf = (value: APIEmbed): number => {
  const texts = [value.title, value.description, value.footer?.text, value.author?.name];
  for (const field of value.fields ?? []) texts.push(field.name, field.value);
  return texts.reduce((sum, part) => sum + lengthOf(part ?? ""), 0);
};

const together: Check = (value, path, problems) => {
  if (!Array.isArray(value)) return;
  let size = 0;
  for (const [index, entry] of (value as APIEmbed[]).entries()) {
    size += sizeOf(entry);
    if (size <= MOST_CHARACTERS) continue;
    problems.add(
      [...path, index],
      "MAX_EMBED_SIZE_EXCEEDED",
      `Embed size exceeds maximum size of ${MOST_CHARACTERS}`,
    );
    return;
  }
};

const shapes = list(embed, 0, 10);

/** Up to 10 embeds, 6,000 characters in all of them together; sizes are summed only over well-formed ones. */
export const checkEmbeds = (value: unknown, path: BodyPath, problems: Problems): void => {
  const before = problems.count();
  shapes(value, path, problems);
  if (problems.count() === before) together(value, path, problems);
};
