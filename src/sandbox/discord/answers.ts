import { emptyMessage, unknownChannel } from "./errors.ts";
import { CALLBACK } from "./limits/callback.ts";
import type { InteractionState } from "./interactions.ts";
import type { MessageRef } from "./messages.ts";
import type { MessageBody, UploadedFile } from "./message-body.ts";
import { MESSAGE_FLAG } from "./message-body.ts";
import { createMessage, currentMessage, editMessage } from "./messages.ts";
import { openModal } from "./modals.ts";
import type { Choice, StoredMessage } from "./shown.ts";
import type { Discord } from "./call.ts";
import type { ModalBody } from "./modals.ts";

/** A message that answers an interaction, private when it asks to be. @throws ApiError 10003. */
export const writeAnswer = (
  { state }: Discord,
  interaction: InteractionState,
  body: MessageBody,
  files: readonly UploadedFile[],
  thinking = false,
): StoredMessage => {
  if (!state.channels.has(interaction.channelId)) throw unknownChannel();
  const asked = ((body.flags ?? 0) & MESSAGE_FLAG.EPHEMERAL) !== 0;
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

/** Edits a message that an interaction may edit, and shows the result to the person who waits. */
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

export interface CallbackBody {
  readonly type: number;
  readonly data?: MessageBody & Partial<ModalBody> & { readonly choices?: readonly Choice[] };
}

/** Does what a checked first answer says. Gives the message that it made or changed, if any. */
export const applyCallback = (
  discord: Discord,
  interaction: InteractionState,
  body: CallbackBody,
  files: readonly UploadedFile[],
): StoredMessage | undefined => {
  const { state, interactions } = discord;
  const data = body.data ?? {};
  switch (body.type) {
    case CALLBACK.MESSAGE: {
      const message = writeAnswer(discord, interaction, data, files);
      interaction.original = message;
      showMessage(interactions, interaction, message);
      return message;
    }
    case CALLBACK.DEFER_MESSAGE: {
      const message = writeAnswer(discord, interaction, data, [], true);
      interaction.original = message;
      return message;
    }
    case CALLBACK.DEFER_UPDATE:
      interaction.original = interaction.source;
      return undefined;
    case CALLBACK.UPDATE: {
      if (interaction.source === undefined) return undefined;
      interaction.original = interaction.source;
      return editAnswer(discord, interaction, interaction.source, data, files);
    }
    case CALLBACK.CHOICES:
      interactions.settle(interaction, { kind: "choices", choices: data.choices ?? [] });
      return undefined;
    case CALLBACK.MODAL: {
      const modal = openModal(state, interaction, data as ModalBody);
      interactions.settle(interaction, { kind: "modal", modal });
      return undefined;
    }
    default:
      return undefined;
  }
};
