import type {
  APIActionRowComponent,
  APIComponentInMessageActionRow,
  APIEmbed,
} from "discord-api-types/v10";
import type { Row } from "./components.ts";
import { embed, fitTogether, type EmbedParts } from "./embed.ts";
import { cut, limits } from "./limits.ts";

/** A file under a message. */
export interface ReplyFile {
  readonly name: string;
  readonly contentType: string;
  readonly data: Uint8Array;
}

/** What a person or a channel reads: plain data in Discord's own shape, already within Discord's limits. */
export interface Reply {
  readonly kind: "reply";
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
  /** At most 10 MiB in all. */
  readonly files?: readonly ReplyFile[];
  /** Name under which this message can be edited later, while Discord's token for it lives: an operation's code. */
  readonly live?: string;
}

/** One text field of a modal. */
export interface ModalField {
  /** Field id, fixed by the outside contract. */
  readonly id: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly style: "short" | "paragraph";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly required: boolean;
}

/** A form. Discord takes it only as the first answer to an interaction. */
export interface Modal {
  readonly kind: "modal";
  /** `custom_id` of the action that gets what was typed; see `discord/custom-id.ts`. */
  readonly customId: string;
  readonly title: string;
  readonly fields: readonly ModalField[];
}

/** An answer of one embed, with buttons and menus under it. An edit with it clears those that were there. */
export const reply = (parts: EmbedParts, ...rows: readonly Row[]): Reply => ({
  kind: "reply",
  embeds: fitTogether([embed(parts)]),
  components: rows.slice(0, limits.rows),
});

/** A form within Discord's limits. */
export const modal = ({ customId, title, fields }: Omit<Modal, "kind">): Modal => ({
  kind: "modal",
  customId,
  title: cut(title, limits.modalTitle),
  fields: fields.slice(0, limits.modalFields).map((field) => ({
    ...field,
    label: cut(field.label, limits.modalLabel),
    ...(field.placeholder !== undefined && {
      placeholder: cut(field.placeholder, limits.modalPlaceholder),
    }),
  })),
});
