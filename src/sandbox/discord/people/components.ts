import {
  ApplicationCommandOptionType,
  ButtonStyle,
  ComponentType,
  InteractionType,
} from "discord-api-types/v10";
import { sendInteraction, asActionResult, failed, resolveIds } from "./interaction-create.ts";
import type { Discord } from "../rest/call.ts";
import { walkComponents } from "../limits/components.ts";
import { messageSeenBy } from "../messages.ts";
import {
  type ActionResult,
  isIn,
  type PersonState,
  type ShownField,
  type ShownModal,
  type StoredMessage,
} from "../state.ts";
import { lengthOf } from "../limits/checks.ts";

type Component = Readonly<Record<string, unknown>>;

/** The kind of object that each select's ids refer to. */
const CHOOSES: ReadonlyMap<unknown, ApplicationCommandOptionType> = new Map([
  [ComponentType.RoleSelect, ApplicationCommandOptionType.Role],
  [ComponentType.ChannelSelect, ApplicationCommandOptionType.Channel],
]);

const findComponent = (message: StoredMessage, customId: string): Component | undefined => {
  let found: Component | undefined;
  walkComponents(message.components, (component) => {
    if (component["custom_id"] === customId && component["disabled"] !== true) found = component;
  });
  return found;
};

const use = async (
  discord: Discord,
  actor: PersonState,
  message: StoredMessage,
  component: Component,
  chosen: object,
): Promise<ActionResult> => {
  const channel = discord.state.channels.get(message.channelId);
  if (channel === undefined) return failed("unknown_component", "the channel was deleted");
  const outcome = await sendInteraction(discord, {
    actor,
    channel,
    data: {
      component_type: component["type"],
      custom_id: component["custom_id"],
      id: component["id"] ?? 1,
      ...chosen,
    },
    interaction: { kind: InteractionType.MessageComponent, source: message },
  });
  return asActionResult(outcome);
};

export const actClick =
  (discord: Discord, actor: PersonState) =>
  async (messageId: string, customId: string): Promise<ActionResult> => {
    const message = messageSeenBy(discord.state, actor.person.id, messageId);
    const component = message === undefined ? undefined : findComponent(message, customId);
    if (message === undefined || component?.["type"] !== ComponentType.Button) {
      return failed("unknown_component", `no button ${customId}`);
    }
    if (component["style"] === ButtonStyle.Link)
      return failed("invalid_input", "a link, not a button");
    return await use(discord, actor, message, component, {});
  };

/**
 * A click that Discord's client would not send: on a message that this person does not see, or with an unknown id. The
 * message must be visible to at least one person.
 */
export const actForgedClick =
  (discord: Discord, actor: PersonState) =>
  async (messageId: string, customId: string): Promise<ActionResult> => {
    const { state } = discord;
    const message = [...state.people.keys()]
      .map((id) => messageSeenBy(state, id, messageId))
      .find((each) => each !== undefined);
    if (message === undefined) return failed("unknown_component", `no message ${messageId}`);
    return await use(
      discord,
      actor,
      message,
      { type: ComponentType.Button, custom_id: customId },
      {},
    );
  };

const fitsSelect = (component: Component, values: readonly string[]): boolean => {
  const least = Number(component["min_values"] ?? 1);
  const most = Number(component["max_values"] ?? 1);
  if (values.length < least || values.length > most) return false;
  if (new Set(values).size !== values.length) return false;
  if (component["type"] !== ComponentType.StringSelect) return true;
  const options = component["options"] as readonly { readonly value: string }[];
  return values.every((value) => options.some((option) => option.value === value));
};

export const actSelect =
  (discord: Discord, actor: PersonState) =>
  async (messageId: string, customId: string, values: readonly string[]): Promise<ActionResult> => {
    const message = messageSeenBy(discord.state, actor.person.id, messageId);
    const component = message === undefined ? undefined : findComponent(message, customId);
    const type = component?.["type"];
    const isSelect = type === ComponentType.StringSelect || CHOOSES.has(type);
    if (message === undefined || component === undefined || !isSelect) {
      return failed("unknown_component", `no select ${customId}`);
    }
    if (!fitsSelect(component, values)) return failed("invalid_input", "not among its options");
    const kind = CHOOSES.get(type) ?? ApplicationCommandOptionType.String;
    const chosen = values.map((value) => ({ type: kind, value }));
    const { guildId = "" } = discord.state.channels.get(message.channelId) ?? {};
    const found = resolveIds(discord.state, chosen, { personId: actor.person.id, guildId });
    if ("refused" in found) return failed("invalid_input", found.refused);
    return await use(discord, actor, message, component, { values, ...found });
  };

/** Texts by field id. */
type Typed = Readonly<Record<string, string>>;

const problemOf = (field: ShownField, typed: string): string | undefined => {
  const length = lengthOf(typed);
  if (length === 0) return field.required ? `${field.customId} is required` : undefined;
  if (field.options !== undefined)
    return field.options.some(({ value }) => value === typed)
      ? undefined
      : `${field.customId} is not among its options`;
  if (length < (field.minLength ?? 0)) return `${field.customId} is too short`;
  if (length > (field.maxLength ?? 4_000)) return `${field.customId} is too long`;
  return undefined;
};

/** The modal's components with the typed values, as interactions carry them. */
const sentComponents = (modal: ShownModal, typed: Typed): readonly object[] => {
  const filled = ({ type, custom_id: id }: { type: ComponentType; custom_id: string }): object => {
    const text = typed[id] ?? "";
    const chosen = { values: text === "" ? [] : [text] };
    const value = type === ComponentType.StringSelect ? chosen : { value: text };
    return { type, custom_id: id, ...value, id: 1 };
  };
  return modal.components.flatMap((part): readonly object[] => {
    if ("components" in part)
      return [{ type: ComponentType.ActionRow, id: 1, components: part.components.map(filled) }];
    if (!("component" in part)) return [];
    return [{ type: ComponentType.Label, id: 1, component: filled(part.component) }];
  });
};

/** Submits a form. A field without a typed value sends its initial value. */
export const actModal =
  (discord: Discord, actor: PersonState) =>
  async (modal: ShownModal, fields: Typed): Promise<ActionResult> => {
    const { state } = discord;
    const channel = state.channels.get(modal.channelId);
    if (!actor.modals.has(modal.id) || channel === undefined || !isIn(channel, actor)) {
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
    const outcome = await sendInteraction(discord, {
      actor,
      channel,
      data: { custom_id: modal.customId, components: sentComponents(modal, typed) },
      interaction: { kind: InteractionType.ModalSubmit, source, modalId: modal.id },
    });
    return asActionResult(outcome);
  };
