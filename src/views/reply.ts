import type {
  APIActionRowComponent,
  APIComponentInMessageActionRow,
  APIEmbed,
} from "discord-api-types/v10";

/** What a person or a channel reads: plain data in Discord's own shape, already within Discord's limits. */
export interface Reply {
  readonly kind: "reply";
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
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
