import type { Locale } from "#src/shared/locale.ts";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";

export type Render = (text: string, locale: Locale) => DeliveryPayload;

export interface HostileView {
  /** The view in its forms; all text from outside of the bot is the given one. */
  readonly renders: readonly Render[];
  /** Stands before the text, where its form decides what is shown: "<" begins neither an id nor a word of the service. */
  readonly prefix: "" | "<";
  /** Where the text may be: in code of any part but the titles, or in code of the fields alone. */
  readonly place: "prose" | "fields";
  /** The people's own texts name the options of the view's menu. */
  readonly namesOptions?: true;
}

export const prose = (...renders: readonly Render[]): HostileView => ({
  renders,
  prefix: "",
  place: "prose",
});

export const fields = (...renders: readonly Render[]): HostileView => ({
  renders,
  prefix: "<",
  place: "fields",
});

/** Typical attacks, each with a marker word that the tests search for. */
export const HOSTILE_SAMPLES: Readonly<Record<string, string>> = {
  "a masked link": "[Responder o MED](https://zqx.example)",
  "a bare link": "https://zqx.example/painel",
  "an invitation": "discord.gg/zqx",
  "a mention of everybody": "@everyone zqx",
  "a mention of a person": "<@1180000000000000011> zqx",
  "a mention of a role": "<@&1180000000000000301> zqx",
  "a mention of a command": "</saque:1> zqx",
  "the end of its code": "`zqx` **zqx**",
  "the end of a code block": "```\nzqx\n```",
  "a heading": "\r\n# zqx",
  "a quote": "\n> zqx",
  "text that runs backwards": "\u202ezqx\u202c",
  "an isolate that never ends": "\u2067zqx",
  "letters that are not seen": "z\u200bq\u2060x zqx\u00ad",
  "a terminal's escape": "\u001b[31mzqx\u0007",
  "another calendar entry": "zqx\r\nEND:VEVENT\r\nBEGIN:VALARM\r\nACTION:PROCEDURE",
  "half a character": "zqx\ud800",
};

/** Bidirectional and invisible characters, which change how the following text is read. */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** Messages as JSON, without the text of their code spans. */
export const outsideCode = (messages: DeliveryPayload | readonly DeliveryPayload[]): string =>
  JSON.stringify(messages).replace(/`[^`]*`/g, "`code`");
