import type { APIEmbed, APIEmbedField } from "discord-api-types/v10";
import type { UiTexts } from "./texts.ts";
import { MOST_OPTIONS } from "../shared/ids.ts";
import { ELLIPSIS, safe } from "./format.ts";

/** Green for success, amber for a message that needs the reader, red for money at risk or taken. */
const COLORS = { accent: 0x1f_8b_6f, warning: 0xe0_a0_30, alarm: 0xc8_3a_3a } as const;
const BLANK = "—";

export interface EmbedParts {
  readonly tone?: keyof typeof COLORS;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly fields?: readonly APIEmbedField[];
  readonly footer?: string | undefined;
  /** Name of a file of the same message that the embed shows as its picture. */
  readonly picture?: string | undefined;
  /** When the figures were read, or what is told happened: Discord shows it small, at the end, in the reader's own zone. */
  readonly readAt?: Temporal.Instant | undefined;
}

/** A field that shares its line with its neighbours. */
export const inline = (name: string, value: string): APIEmbedField => ({
  name,
  value,
  inline: true,
});

/** A field on a line of its own. */
export const line = (name: string, value: string): APIEmbedField => ({ name, value });

/** The first lines or parts of a field, at most `most` and as many as fit; `more` words the number of the others. */
export const firstLines = (
  lines: readonly string[],
  more: (left: number) => string,
  most = lines.length,
  separator = "\n",
): string => {
  const shown = lines.slice(0, most);
  const left = lines.length - shown.length;
  const value = [...shown, ...(left === 0 ? [] : [more(left)])].join(separator);
  return value.length > limits.fieldValue && shown.length > 0
    ? firstLines(lines, more, shown.length - 1, separator)
    : value;
};

const fitted = (text: string, max: number): string => (text.trim() === "" ? BLANK : cut(text, max));

const fittedField = (field: APIEmbedField): APIEmbedField => ({
  ...field,
  name: fitted(field.name, limits.fieldName),
  value: fitted(field.value, limits.fieldValue),
});

export const embed = ({
  tone = "accent",
  title,
  description,
  fields,
  footer,
  picture,
  readAt,
}: EmbedParts): APIEmbed => ({
  color: COLORS[tone],
  ...(title && { title: cut(title, limits.title) }),
  ...(description && { description: cut(description, limits.description) }),
  ...(fields?.length && { fields: fields.slice(0, limits.fields).map(fittedField) }),
  ...(footer && { footer: { text: cut(footer, limits.footer) } }),
  ...(picture && { image: { url: `attachment://${picture}` } }),
  ...(readAt && { timestamp: readAt.toString({ smallestUnit: "millisecond" }) }),
});

const sizeOfField = ({ name, value }: APIEmbedField): number => name.length + value.length;

/** Characters that count towards the limit over all embeds of a message. */
export const embedSize = ({ title, description, fields, footer }: APIEmbed): number =>
  (title?.length ?? 0) +
  (description?.length ?? 0) +
  (footer?.text.length ?? 0) +
  (fields ?? []).reduce((size, field) => size + sizeOfField(field), 0);

/** Keeps title and footer, then as much of the description and of the first fields as fits. */
const shrunk = (whole: APIEmbed, budget: number): APIEmbed | undefined => {
  const { fields = [], description = "", ...frame } = whole;
  const free = budget - embedSize(frame);
  if (free < 0) return undefined;
  const shown = cut(description, free);
  const kept: APIEmbedField[] = [];
  let left = free - shown.length;
  for (const field of fields) {
    left -= sizeOfField(field);
    if (left < 0) break;
    kept.push(field);
  }
  return {
    ...frame,
    ...(shown && { description: shown }),
    ...(kept.length > 0 && { fields: kept }),
  };
};

/** The embeds of one message, cut at the end to the limit over all of them. */
export const fitTogether = (embeds: readonly APIEmbed[]): readonly APIEmbed[] => {
  let left: number = limits.embedsTotal;
  const kept: APIEmbed[] = [];
  for (const whole of embeds.slice(0, limits.embeds)) {
    const part = embedSize(whole) <= left ? whole : shrunk(whole, left);
    if (part === undefined) break;
    left -= embedSize(part);
    kept.push(part);
  }
  return kept;
};

const CODE_LENGTH = 128;
const MOST_CODES = 3;

/** Codes for the support of the service or of the bot; empty without failed reads. */
export const supportCodeFields = (
  codes: readonly string[] | undefined,
  { errorLabels }: UiTexts,
): readonly APIEmbedField[] => {
  const shown = [...new Set(codes)].slice(0, MOST_CODES).map((code) => safe(code, CODE_LENGTH));
  return shown.length === 0 ? [] : [line(errorLabels.supportCode, shown.join("\n"))];
};

/** Discord's limits, in characters or pieces. Source: Discord's reference of messages and components. */
export const limits = {
  content: 2000,
  /** Our own limit: about as much as a locked phone shows of a message. */
  sentence: 150,
  embeds: 10,
  /** Over all embeds of one message. */
  embedsTotal: 6000,
  title: 256,
  description: 4096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1024,
  footer: 2048,
  rows: 5,
  buttonsPerRow: 5,
  buttonLabel: 80,
  selectOptions: MOST_OPTIONS,
  optionText: 100,
  placeholder: 150,
  modalTitle: 45,
  modalLabel: 45,
  modalFields: 5,
  modalPlaceholder: 100,
  choiceName: 100,
} as const;

const endsInHalfPair = (text: string): boolean => /[\ud800-\udbff]$/.test(text);

/**
 * At most `max` UTF-16 units, the strictest count that Discord uses; an ellipsis stands for the rest. Never splits a
 * character or a code span: half a span would set its text free.
 */
export const cut = (text: string, max: number): string => {
  if (text.length <= max) return text;
  if (max < ELLIPSIS.length) return "";
  const head = text.slice(0, max - ELLIPSIS.length);
  const whole = endsInHalfPair(head) ? head.slice(0, -1) : head;
  const ticks = whole.split("`").length - 1;
  return (ticks % 2 === 0 ? whole : whole.slice(0, whole.lastIndexOf("`"))) + ELLIPSIS;
};
