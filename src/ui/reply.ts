import type {
  APIActionRowComponent,
  APIButtonComponent,
  APIComponentInMessageActionRow,
  APIEmbed,
  APIEmbedField,
  APIStringSelectComponent,
} from "discord-api-types/v10";
import { cut, embed, type EmbedParts, fitTogether, limits } from "./embed.ts";
import { together } from "./format.ts";
import type { DeliveryPayload } from "../delivery/delivery.ts";
import { buttonStyle, componentType, linkStyle } from "../shared/discord-enums.ts";

export interface ReplyFile {
  readonly name: string;
  readonly contentType: string;
  /** What a picture shows, for readers who do not see it; at most 1024 characters. */
  readonly description?: string;
  readonly data: Uint8Array;
  /** Its message says the same. */
  readonly isCopy?: true;
}

/** What a message shows that can be edited while Discord's token is valid. */
export interface LiveSubject {
  /** Made from an operation's code. */
  readonly name: string;
  /** State of the subject when the message was composed. */
  readonly state: string;
}

/** A message as data in Discord's shape, within Discord's limits. */
export interface Reply {
  readonly kind: "reply";
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
  /** At most 10 MiB in all. */
  readonly files?: readonly ReplyFile[];
  /** Another private message, sent once after this one. */
  readonly further?: Omit<Reply, "live" | "further" | "onTaken">;
  readonly live?: LiveSubject;
  /** Called once Discord took the reply as the answer to an interaction. Never rejects. */
  readonly onTaken?: () => Promise<void>;
}

/** One line of text in a form. */
export interface ModalField {
  /** Field id, fixed by the outside contract. */
  readonly id: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly required: boolean;
}

/** A menu in a form; at most one option may be chosen beforehand. */
export interface ModalMenu {
  readonly id: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly required: boolean;
  readonly options: SelectParts["options"];
}

/** A value that a command offers while an option is typed. */
export interface Suggestion {
  /** The shown text, at most 100 characters. */
  readonly name: string;
  readonly value: string;
}

/** A form. Discord takes it only as the first answer to an interaction. */
export interface Modal {
  readonly kind: "modal";
  /** `custom_id` of the action that receives the form; see `discord/command.ts`. */
  readonly customId: string;
  readonly title: string;
  readonly fields: readonly (ModalField | ModalMenu)[];
}

/** A reply of one embed with rows of buttons and menus. As an edit it also replaces the message's rows. */
export const reply = (parts: EmbedParts, ...rows: readonly Row[]): Reply => ({
  kind: "reply",
  embeds: fitTogether([embed(parts)]),
  components: rows.slice(0, limits.rows),
});

const optionTexts = ({ label, description }: SelectParts["options"][number]) => ({
  label: cut(label, limits.optionText),
  ...(description && { description: cut(description, limits.optionText) }),
});

/** A form within Discord's limits. */
export const modal = ({ customId, title, fields }: Omit<Modal, "kind">): Modal => ({
  kind: "modal",
  customId,
  title: cut(title, limits.modalTitle),
  fields: fields.slice(0, limits.modalFields).map((field) => ({
    ...field,
    ...("options" in field && {
      options: field.options
        .slice(0, limits.selectOptions)
        .map((option) => ({ ...option, ...optionTexts(option) })),
    }),
    label: cut(field.label, limits.modalLabel),
    ...(field.placeholder !== undefined && {
      placeholder: cut(field.placeholder, limits.modalPlaceholder),
    }),
  })),
});

interface PostParts extends EmbedParts {
  /**
   * The text that a locked phone shows: plain words of ours with amounts and hours. No markdown, and of strangers' text only
   * a server's plain name.
   */
  readonly sentence: string;
  /** Mark by which the message is found again. */
  readonly reference: string;
}

/** Footer of a post. The search of a channel's history looks for the mark in it. */
export const markedFooter = (reference: string): string => `Balcão · ${reference}`;

/** A message sent unasked, to a channel or to a person: one embed, optionally with buttons. */
export const post = (
  { sentence, reference, footer, ...parts }: PostParts,
  ...rows: readonly Row[]
): DeliveryPayload => ({
  content: cut(sentence, limits.sentence),
  embeds: fitTogether([
    embed({
      ...parts,
      footer: footer === undefined ? markedFooter(reference) : together(footer, reference),
    }),
  ]),
  ...(rows.length > 0 && { components: rows }),
});

/** A post that a newer one replaces: `replaced` stands in place of its text and fields, and it has no buttons. */
export const replacedPost = (
  { embeds = [] }: DeliveryPayload,
  replaced: string,
  isKept: (field: APIEmbedField) => boolean = () => false,
): DeliveryPayload => ({
  content: replaced,
  embeds: embeds.map(({ title = "", footer, fields = [] }) => ({
    ...embed({ title, description: replaced, fields: fields.filter(isKept) }),
    ...(footer && { footer }),
  })),
});

export type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

export interface ButtonParts {
  readonly id: string;
  readonly label: string;
  readonly style: keyof typeof buttonStyle;
}

interface SelectParts {
  readonly id: string;
  readonly placeholder: string;
  /** Any number of them may be chosen; otherwise exactly one. */
  readonly severalOrNone?: true;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    /** A smaller line beneath the label. */
    readonly description?: string | undefined;
    readonly chosen: boolean;
  }[];
}

/** Buttons to the previous and the next page; `page` counts from 0. */
export const pageButtons = (
  page: number,
  pages: number,
  idOf: (page: number) => string,
  labels: { readonly previous: string; readonly next: string },
): readonly ButtonParts[] =>
  [
    { to: page - 1, label: labels.previous },
    { to: page + 1, label: labels.next },
  ]
    .filter(({ to }) => to >= 0 && to < pages)
    .map(({ to, label }) => ({ id: idOf(to), label, style: "secondary" }));

const button = ({ id, label, style }: ButtonParts): APIButtonComponent => ({
  type: componentType.button,
  style: buttonStyle[style],
  custom_id: id,
  label: cut(label, limits.buttonLabel),
});

/** A row of up to five buttons. */
export const buttonRow = (...buttons: readonly ButtonParts[]): Row => ({
  type: componentType.row,
  components: buttons.slice(0, limits.buttonsPerRow).map(button),
});

/** As many rows as the buttons fill; no row without buttons. */
export const buttonRows = (buttons: readonly ButtonParts[]): readonly Row[] =>
  Array.from({ length: Math.ceil(buttons.length / limits.buttonsPerRow) }, (_, row) =>
    buttonRow(...buttons.slice(row * limits.buttonsPerRow)),
  );

/** Whether a button is offered, its id, label and style. Without an id it is not offered. */
type Offer = readonly [
  isOffered: boolean,
  id: string | undefined,
  label: string,
  style?: ButtonParts["style"],
];

export const offeredButtons = (...offers: readonly Offer[]): readonly ButtonParts[] =>
  offers.flatMap(([isOffered, id, label, style = "secondary"]) =>
    isOffered && id !== undefined ? [{ id, label, style }] : [],
  );

export const linkRow = ({ url, label }: { readonly url: string; readonly label: string }): Row => ({
  type: componentType.row,
  components: [
    { type: componentType.button, style: linkStyle, url, label: cut(label, limits.buttonLabel) },
  ],
});

export const selectRow = ({ id, placeholder, severalOrNone, options }: SelectParts): Row => {
  const most = Math.min(options.length, limits.selectOptions);
  const select: APIStringSelectComponent = {
    type: componentType.select,
    custom_id: id,
    placeholder: cut(placeholder, limits.placeholder),
    ...(severalOrNone === true && { min_values: 0, max_values: most }),
    options: options
      .slice(0, limits.selectOptions)
      .map((option) => ({ value: option.value, ...optionTexts(option), default: option.chosen })),
  };
  return { type: componentType.row, components: [select] };
};

/**
 * The custom id of an action, by its argument; see `discord/command.ts`. Components carry all their state in it, so that
 * they work after a restart.
 */
export const customIdOf = (command: string, action: string) => (argument: string) =>
  `${command}:${action}:${argument}`;
