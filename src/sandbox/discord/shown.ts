import type {
  APIAttachment,
  APIEmbed,
  APIMessageTopLevelComponent,
  APIModalInteractionResponseCallbackComponent,
} from "discord-api-types/v10";

/** The slash command, or the message of the clicked component, that a message answers. */
export interface AnsweredInteraction {
  readonly interactionId: string;
  readonly userId: string;
  /** `vendas` or `conta conectar`; undefined when it answers a component or a modal. */
  readonly commandName: string | undefined;
}

/** A message as the local Discord holds it: public in a channel or direct, or private to one person. */
export interface StoredMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  readonly components: readonly APIMessageTopLevelComponent[];
  readonly attachments: readonly APIAttachment[];
  readonly flags: number;
  readonly nonce: string | undefined;
  readonly createdAt: Temporal.Instant;
  readonly editedAt: Temporal.Instant | undefined;
  /** The only person who sees it; undefined when everybody in the channel does. */
  readonly privateTo: string | undefined;
  /** Deferred: the person sees "está pensando…" until the bot edits it. */
  readonly thinking: boolean;
  readonly answers: AnsweredInteraction | undefined;
  /** Who was really notified by the content, after `allowed_mentions`. */
  readonly mentionedUserIds: readonly string[];
  readonly mentionedRoleIds: readonly string[];
  readonly mentionsEveryone: boolean;
}

export interface ShownField {
  readonly customId: string;
  readonly label: string;
  readonly style: "short" | "paragraph";
  readonly placeholder: string | undefined;
  readonly value: string | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly required: boolean;
}

/** A form that is open on one person's screen. */
export interface ShownModal {
  readonly id: string;
  readonly customId: string;
  readonly title: string;
  readonly ownerId: string;
  readonly channelId: string;
  /** The message whose button opened it. */
  readonly messageId: string | undefined;
  readonly fields: readonly ShownField[];
  /** As the bot sent them. */
  readonly components: readonly APIModalInteractionResponseCallbackComponent[];
}

/** Why a person saw "o aplicativo não respondeu", or could not even send. */
export type ShownFailure =
  /** No answer within 3 seconds. */
  | "no_answer"
  /** Deferred, and then nothing while the token was valid. */
  | "unfinished"
  /** Deferred, and then taken back. */
  | "deleted"
  /** No bot is connected. */
  | "offline"
  | "unknown_command"
  | "not_permitted"
  /** An option, value or field that Discord's own client would not send. */
  | "invalid_input"
  /** The message, component or modal is no longer there, disabled, or not this person's to use. */
  | "unknown_component";

/** What a person sees after doing something. */
export type Shown =
  | { readonly kind: "message"; readonly message: StoredMessage; readonly private: boolean }
  | { readonly kind: "modal"; readonly modal: ShownModal }
  /** `detail` is for whoever reads a failing test. */
  | { readonly kind: "failed"; readonly reason: ShownFailure; readonly detail?: string };

export interface Choice {
  readonly name: string;
  readonly value: string | number;
}
