import {
  type APIStringSelectComponent,
  type APIModalInteractionResponseCallbackData,
  type APITextInputComponent,
  ComponentType,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
} from "discord-api-types/v10";
import { z } from "zod";
import { type Call, type Discord, type Handle, param } from "./call.ts";
import {
  alreadyAcknowledged,
  checked,
  emptyMessage,
  unknownChannel,
  unknownInteraction,
} from "../api-errors.ts";
import type { InteractionState } from "../interactions.ts";
import { callback } from "../limits/interaction-callback.ts";
import { showsNothing } from "../limits/message.ts";
import { renderMessage } from "../api-objects.ts";
import { createMessage, currentMessage, editMessage, type MessageRef } from "../messages.ts";
import type { MessageBody, UploadedFile } from "../message-body.ts";
import {
  type Choice,
  closeModal,
  type DiscordState,
  type ShownField,
  type ShownModal,
  type StoredMessage,
} from "../state.ts";
import { walkComponents } from "../limits/components.ts";

const NEW_MESSAGE = [
  InteractionResponseType.ChannelMessageWithSource,
  InteractionResponseType.DeferredChannelMessageWithSource,
] as const;
const UPDATE = [
  InteractionResponseType.DeferredMessageUpdate,
  InteractionResponseType.UpdateMessage,
] as const;

const typesFor = (interaction: InteractionState): readonly InteractionResponseType[] => {
  switch (interaction.kind) {
    case InteractionType.ApplicationCommand:
      return [...NEW_MESSAGE, InteractionResponseType.Modal];
    case InteractionType.MessageComponent:
      return [...NEW_MESSAGE, ...UPDATE, InteractionResponseType.Modal];
    case InteractionType.ApplicationCommandAutocomplete:
      return [InteractionResponseType.ApplicationCommandAutocompleteResult];
    case InteractionType.ModalSubmit:
    default:
      return interaction.source === undefined ? NEW_MESSAGE : [...NEW_MESSAGE, ...UPDATE];
  }
};

/** @throws ApiError 10062 for an unknown interaction or after 3 seconds, 40060 after the first answer. */
const openInteraction = (call: Call, discord: Discord): InteractionState => {
  const interaction = discord.interactions.byId(param(call, "id"));
  if (interaction === undefined || interaction.token !== param(call, "token")) {
    throw unknownInteraction();
  }
  if (interaction.phase === "missed") throw unknownInteraction();
  if (interaction.phase === "acknowledged") throw alreadyAcknowledged();
  return interaction;
};

const answerIn = (call: Call, interaction: InteractionState): CallbackBody => {
  checked(z.object({ type: z.literal(typesFor(interaction)) }), call.body);
  const body = call.body as CallbackBody;
  checked(callback, { ...body, data: { ...body.data, files: call.files } });
  if (
    body.type === InteractionResponseType.ChannelMessageWithSource &&
    showsNothing(body.data ?? {}, call.files)
  )
    throw emptyMessage();
  return body;
};

/** `POST /interactions/{id}/{token}/callback`: the first answer, once and within 3 seconds. */
export const postCallback: Handle = (call, discord) => {
  const interaction = openInteraction(call, discord);
  const body = answerIn(call, interaction);
  const message = applyCallback(discord, interaction, body, call.files);
  discord.interactions.acknowledge(interaction);
  if (interaction.modalId !== undefined) {
    closeModal(discord.state, interaction.personId, interaction.modalId);
  }
  if (call.query.get("with_response") !== "true") return undefined;
  return {
    interaction: {
      id: interaction.id,
      type: interaction.kind,
      response_message_id: message?.id,
      response_message_loading: message?.thinking ?? false,
      response_message_ephemeral: message?.privateTo !== undefined,
    },
    resource: {
      type: body.type,
      ...(message === undefined ? {} : { message: renderMessage(discord.state, message) }),
    },
  };
};

/**
 * Creates a message that answers an interaction; private if its flags say so.
 * @throws ApiError 10003 if the channel was deleted.
 */
export const writeAnswer = (
  { state }: Discord,
  interaction: InteractionState,
  body: MessageBody,
  files: readonly UploadedFile[],
  thinking = false,
): StoredMessage => {
  if (!state.channels.has(interaction.channelId)) throw unknownChannel();
  const asked = ((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  return createMessage(state, {
    channelId: interaction.channelId,
    body,
    files,
    privateTo: asked ? interaction.personId : undefined,
    thinking,
    answers: {
      interactionId: interaction.id,
      userId: interaction.personId,
      commandName: interaction.commandName,
    },
  });
};

/** Edits a message through an interaction's token and shows the result to the waiting person. */
export const editAnswer = (
  { state, interactions }: Discord,
  interaction: InteractionState,
  ref: MessageRef,
  body: MessageBody,
  files: readonly UploadedFile[],
): StoredMessage => {
  const message = editMessage(state, currentMessage(state, ref), body, files);
  if (message === undefined) throw emptyMessage();
  showMessage(interactions, interaction, message);
  return message;
};

export const showMessage = (
  interactions: Discord["interactions"],
  interaction: InteractionState,
  message: StoredMessage,
): void =>
  interactions.settle(interaction, {
    kind: "message",
    message,
    private: message.privateTo !== undefined,
  });

interface CallbackBody {
  readonly type: Exclude<
    InteractionResponseType,
    | InteractionResponseType.Pong
    | InteractionResponseType.PremiumRequired
    | InteractionResponseType.LaunchActivity
  >;
  readonly data?: MessageBody & Partial<ModalBody> & { readonly choices?: readonly Choice[] };
}

/** Applies a checked first answer. Returns the message that it created or edited. */
const applyCallback = (
  discord: Discord,
  interaction: InteractionState,
  body: CallbackBody,
  files: readonly UploadedFile[],
): StoredMessage | undefined => {
  const { state, interactions } = discord;
  const data = body.data ?? {};
  switch (body.type) {
    case InteractionResponseType.ChannelMessageWithSource: {
      const message = writeAnswer(discord, interaction, data, files);
      interaction.original = message;
      showMessage(interactions, interaction, message);
      return message;
    }
    case InteractionResponseType.DeferredChannelMessageWithSource: {
      const message = writeAnswer(discord, interaction, data, [], true);
      interaction.original = message;
      return message;
    }
    case InteractionResponseType.DeferredMessageUpdate:
      interaction.original = interaction.source;
      return undefined;
    case InteractionResponseType.UpdateMessage: {
      if (interaction.source === undefined) return undefined;
      interaction.original = interaction.source;
      return editAnswer(discord, interaction, interaction.source, data, files);
    }
    case InteractionResponseType.ApplicationCommandAutocompleteResult:
      interactions.settle(interaction, { kind: "choices", choices: data.choices ?? [] });
      return undefined;
    case InteractionResponseType.Modal: {
      const modal = openModal(state, interaction, data as ModalBody);
      interactions.settle(interaction, { kind: "modal", modal });
      return undefined;
    }
    default:
      return undefined;
  }
};

type ModalBody = APIModalInteractionResponseCallbackData;

const fieldOf = (input: APITextInputComponent, label: string): ShownField => ({
  customId: input.custom_id,
  label: input.label ?? label,
  placeholder: input.placeholder,
  value: input.value,
  minLength: input.min_length,
  maxLength: input.max_length,
  required: input.required ?? true,
  options: undefined,
});

const menuOf = (menu: APIStringSelectComponent, label: string): ShownField => ({
  customId: menu.custom_id,
  label,
  placeholder: menu.placeholder,
  value: menu.options.find((option) => option.default === true)?.value,
  minLength: undefined,
  maxLength: undefined,
  required: menu.required ?? true,
  options: menu.options.map(({ value, label, description }) => ({ value, label, description })),
});

const fieldsOf = (components: ModalBody["components"]): readonly ShownField[] => {
  const fields: ShownField[] = [];
  let label = "";
  walkComponents(components, (component) => {
    if (component["type"] === ComponentType.Label) label = String(component["label"]);
    if (component["type"] === ComponentType.TextInput)
      fields.push(fieldOf(component as unknown as APITextInputComponent, label));
    if (component["type"] === ComponentType.StringSelect)
      fields.push(menuOf(component as unknown as APIStringSelectComponent, label));
  });
  return fields;
};

/** Opens a form on the screen of the interaction's person. */
const openModal = (
  state: DiscordState,
  interaction: InteractionState,
  body: ModalBody,
): ShownModal => {
  const modal: ShownModal = {
    id: state.newId(),
    customId: body.custom_id,
    title: body.title,
    channelId: interaction.channelId,
    messageId: interaction.source?.id,
    fields: fieldsOf(body.components),
    components: body.components,
  };
  state.people.get(interaction.personId)?.modals.set(modal.id, modal);
  state.changed();
  return modal;
};
