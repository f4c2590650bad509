import type {
  APIModalInteractionResponseCallbackData,
  APITextInputComponent,
} from "discord-api-types/v10";
import { walkComponents } from "./limits/components.ts";
import { COMPONENT } from "./limits/component-types.ts";
import type { InteractionState } from "./interactions.ts";
import type { ShownField, ShownModal } from "./shown.ts";
import type { DiscordState } from "./state.ts";

export type ModalBody = APIModalInteractionResponseCallbackData;

/** `TextInputStyle.Short`. */
const isShort = (style: number): boolean => style === 1;

const fieldOf = (input: APITextInputComponent, label: string): ShownField => ({
  customId: input.custom_id,
  label: input.label ?? label,
  style: isShort(input.style) ? "short" : "paragraph",
  placeholder: input.placeholder,
  value: input.value,
  minLength: input.min_length,
  maxLength: input.max_length,
  required: input.required ?? true,
});

const fieldsOf = (components: ModalBody["components"]): readonly ShownField[] => {
  const fields: ShownField[] = [];
  let label = "";
  walkComponents(components, [], (component) => {
    if (component["type"] === COMPONENT.LABEL) label = String(component["label"]);
    if (component["type"] !== COMPONENT.TEXT_INPUT) return;
    fields.push(fieldOf(component as unknown as APITextInputComponent, label));
  });
  return fields;
};

/** Opens a form on the screen of the person who acted. */
export const openModal = (
  state: DiscordState,
  interaction: InteractionState,
  body: ModalBody,
): ShownModal => {
  const modal: ShownModal = {
    id: state.newId(),
    customId: body.custom_id,
    title: body.title,
    ownerId: interaction.personId,
    channelId: interaction.channelId,
    messageId: interaction.source?.id,
    fields: fieldsOf(body.components),
    components: body.components,
  };
  state.people.get(interaction.personId)?.modals.set(modal.id, modal);
  state.changed();
  return modal;
};

export const closeModal = (state: DiscordState, personId: string, modalId: string): void => {
  if (state.people.get(personId)?.modals.delete(modalId) === true) state.changed();
};
