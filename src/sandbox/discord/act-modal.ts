import { act, asShown, failed } from "./act.ts";
import type { Discord } from "./call.ts";
import { INTERACTION } from "./interactions.ts";
import { lengthOf } from "./limits/checks.ts";
import { COMPONENT } from "./limits/component-types.ts";
import { messageSeenBy } from "./messages.ts";
import { renderMessage } from "./rendered.ts";
import type { Shown, ShownField, ShownModal } from "./shown.ts";
import type { PersonState } from "./state.ts";

type Typed = Readonly<Record<string, string>>;

const problemOf = (field: ShownField, typed: string): string | undefined => {
  const length = lengthOf(typed);
  if (length === 0) return field.required ? `${field.customId} is required` : undefined;
  if (length < (field.minLength ?? 0)) return `${field.customId} is too short`;
  if (length > (field.maxLength ?? 4_000)) return `${field.customId} is too long`;
  return undefined;
};

const isTextInput = (component: { readonly type: number }): boolean =>
  component.type === COMPONENT.TEXT_INPUT;

/** Each part of the modal with what was typed in it, in the form that the bot gets. */
const sentComponents = (modal: ShownModal, typed: Typed): readonly object[] => {
  const sent = (component: { readonly custom_id: string }): object => ({
    type: COMPONENT.TEXT_INPUT,
    custom_id: component.custom_id,
    value: typed[component.custom_id] ?? "",
    id: 1,
  });
  return modal.components.flatMap((part): readonly object[] => {
    if ("components" in part) {
      return [{ type: COMPONENT.ROW, id: 1, components: part.components.map(sent) }];
    }
    if (!("component" in part) || !isTextInput(part.component)) return [];
    return [{ type: COMPONENT.LABEL, id: 1, component: sent(part.component) }];
  });
};

/** Sends a form with what was typed; a field that was left alone keeps the value that it opened with. */
export const actModal = async (
  discord: Discord,
  actor: PersonState,
  modal: ShownModal,
  fields: Typed,
): Promise<Shown> => {
  const { state } = discord;
  const channel = state.channels.get(modal.channelId);
  if (!actor.modals.has(modal.id) || channel === undefined) {
    return failed("unknown_component", "the form is not open on this person's screen");
  }
  const unknown = Object.keys(fields).find((id) => !modal.fields.some((f) => f.customId === id));
  if (unknown !== undefined) return failed("invalid_input", `no field ${unknown}`);
  const typed: Record<string, string> = {};
  for (const field of modal.fields) {
    const text = fields[field.customId] ?? field.value ?? "";
    const problem = problemOf(field, text);
    if (problem !== undefined) return failed("invalid_input", problem);
    typed[field.customId] = text;
  }
  const source =
    modal.messageId === undefined
      ? undefined
      : messageSeenBy(state, actor.person.id, modal.messageId);
  const outcome = await act(discord, {
    actor,
    channel,
    data: { custom_id: modal.customId, components: sentComponents(modal, typed) },
    message: source === undefined ? undefined : renderMessage(state, source),
    interaction: {
      kind: INTERACTION.MODAL,
      commandName: undefined,
      source,
      modalId: modal.id,
    },
  });
  return asShown(outcome);
};
