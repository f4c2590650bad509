import { APPLICATION } from "../../world.ts";
import { editAnswer, showMessage, writeAnswer } from "./interaction-responses.ts";
import { type Call, checkedBody, type Discord, type Handle, param } from "./call.ts";
import { invalidWebhookToken, unknownMessage, unknownWebhook } from "../api-errors.ts";
import type { InteractionState } from "../interactions.ts";
import { currentMessage, findMessage, type MessageRef } from "../messages.ts";
import { renderMessage } from "../api-objects.ts";
import type { StoredMessage } from "../state.ts";

/** The answered interaction of the path. @throws ApiError 50027 after 15 minutes, 10015 before the first answer. */
const answered = (call: Call, discord: Discord): InteractionState => {
  const interaction = discord.interactions.byToken(param(call, "token"));
  if (param(call, "id") !== APPLICATION.id) throw unknownWebhook();
  if (interaction === undefined || discord.interactions.isExpired(interaction)) {
    throw invalidWebhookToken();
  }
  if (interaction.phase !== "acknowledged") throw unknownWebhook();
  return interaction;
};

/** The first answer. @throws ApiError 10008 where the interaction got none. */
const originalOf = ({ original }: InteractionState): MessageRef => {
  if (original === undefined) throw unknownMessage();
  return original;
};

export const getAnswer: Handle = (call, discord) => {
  const ref = originalOf(answered(call, discord));
  return renderMessage(discord.state, currentMessage(discord.state, ref));
};

export const patchAnswer: Handle = (call, discord) => {
  const interaction = answered(call, discord);
  const ref = originalOf(interaction);
  const body = checkedBody(call, "edit");
  const message = editAnswer(discord, interaction, ref, body, call.files);
  return renderMessage(discord.state, message);
};

const stillThinking = (
  discord: Discord,
  ref: MessageRef | undefined,
): StoredMessage | undefined => {
  const message = ref === undefined ? undefined : findMessage(discord.state, ref);
  return message?.thinking === true ? message : undefined;
};

/** Posts a follow-up. The first follow-up after a deferred answer replaces that answer, as at Discord. */
export const postFollowup: Handle = (call, discord) => {
  const interaction = answered(call, discord);
  const body = checkedBody(call, "answer");
  const thinking = stillThinking(discord, interaction.original);
  const message =
    thinking === undefined
      ? writeAnswer(discord, interaction, body, call.files)
      : editAnswer(discord, interaction, thinking, body, call.files);
  showMessage(discord.interactions, interaction, message);
  return renderMessage(discord.state, message);
};
