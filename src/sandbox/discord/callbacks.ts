import { applyCallback } from "./answers.ts";
import type { CallbackBody } from "./answers.ts";
import type { Call, Discord, Handle } from "./call.ts";
import { param } from "./call.ts";
import { alreadyAcknowledged, emptyMessage, invalidForm, unknownInteraction } from "./errors.ts";
import type { InteractionState } from "./interactions.ts";
import { INTERACTION } from "./interactions.ts";
import { CALLBACK, checkCallback } from "./limits/callback.ts";
import { showsNothing } from "./limits/message.ts";
import { collectProblems } from "./limits/problems.ts";
import { closeModal } from "./modals.ts";
import { renderMessage } from "./rendered.ts";

const { MESSAGE, DEFER_MESSAGE, DEFER_UPDATE, UPDATE, CHOICES, MODAL } = CALLBACK;

const typesFor = (interaction: InteractionState): readonly number[] => {
  switch (interaction.kind) {
    case INTERACTION.COMMAND:
      return [MESSAGE, DEFER_MESSAGE, MODAL];
    case INTERACTION.COMPONENT:
      return [MESSAGE, DEFER_MESSAGE, DEFER_UPDATE, UPDATE, MODAL];
    case INTERACTION.AUTOCOMPLETE:
      return [CHOICES];
    case INTERACTION.MODAL:
    default:
      return interaction.source === undefined
        ? [MESSAGE, DEFER_MESSAGE]
        : [MESSAGE, DEFER_MESSAGE, DEFER_UPDATE, UPDATE];
  }
};

/** @throws ApiError 10062 when it is none of ours or 3 seconds have passed, 40060 when it was answered. */
const openInteraction = (call: Call, discord: Discord): InteractionState => {
  const interaction = discord.interactions.byId(param(call, "id"));
  if (interaction === undefined || interaction.token !== param(call, "token")) {
    throw unknownInteraction();
  }
  if (interaction.phase === "missed") throw unknownInteraction();
  if (interaction.phase === "acknowledged") {
    throw discord.confusesAcknowledged ? unknownInteraction() : alreadyAcknowledged();
  }
  return interaction;
};

const checked = (call: Call, interaction: InteractionState): CallbackBody => {
  const problems = collectProblems();
  checkCallback(call.body, call.files, typesFor(interaction), problems);
  if (problems.count() > 0) throw invalidForm(problems.nested());
  const body = call.body as CallbackBody;
  if (body.type === MESSAGE && showsNothing(body.data ?? {}, call.files)) throw emptyMessage();
  return body;
};

/** `POST /interactions/{id}/{token}/callback`: the first answer, once and within 3 seconds. */
export const postCallback: Handle = (call, discord) => {
  const interaction = openInteraction(call, discord);
  const body = checked(call, interaction);
  const message = applyCallback(discord, interaction, body, call.files);
  discord.interactions.acknowledge(interaction);
  if (interaction.modalId !== undefined) {
    closeModal(discord.state, interaction.personId, interaction.modalId);
  }
  if (call.query.get("with_response") !== "true") return { status: 204 };
  return {
    status: 200,
    body: {
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
    },
  };
};
