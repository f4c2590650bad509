import { ComponentType, InteractionResponseType, MessageFlags } from "discord-api-types/v10";
import { z } from "zod";
import { filledText, flag, lengthOf, text } from "./checks.ts";
import { customId, DUPLICATED_ID, haveUniqueIds, stringSelect } from "./components.ts";
import { messageBodies } from "./message.ts";

const choice = z.object({ name: filledText(100), value: z.union([text(1, 100), z.number()]) });

const input = z
  .object({
    type: z.literal(ComponentType.TextInput),
    custom_id: customId,
    style: z.literal([1, 2]),
    label: text(1, 45).nullish(),
    value: text(0, 4_000).nullish(),
    placeholder: text(0, 100).nullish(),
    required: flag,
    min_length: z.int().min(0).max(4_000).nullish(),
    max_length: z.int().min(1).max(4_000).nullish(),
  })
  .refine(({ min_length: least, max_length: most }) => (least ?? 0) <= (most ?? 4_000), {
    path: ["min_length"],
    message: "min_length must be less than or equal to max_length",
  })
  .refine(({ value, max_length: most }) => lengthOf(value ?? "") <= (most ?? 4_000), {
    path: ["value"],
    message: "Must be max_length or fewer in length.",
  });

const menu = stringSelect.refine(
  ({ required, min_values: least }) => required === false || least !== 0,
  { path: ["min_values"], message: "min_values must be at least 1 when required" },
);

/** Source: Discord's reference, "Modal" and "Text Input". */
const part = z.discriminatedUnion("type", [
  z.object({
    type: z.literal(ComponentType.ActionRow),
    components: z
      .array(input.refine(({ label }) => label, { path: ["label"], message: "Required" }))
      .length(1),
  }),
  z.object({ type: z.literal(ComponentType.TextDisplay), content: text(1, 4_000) }),
  z.object({
    type: z.literal(ComponentType.Label),
    label: text(1, 45),
    description: text(1, 100).nullish(),
    component: z.discriminatedUnion("type", [input, menu]),
  }),
]);

const modal = z.object({
  custom_id: customId,
  title: text(1, 45),
  components: z.array(part).min(1).max(5).refine(haveUniqueIds, DUPLICATED_ID),
});

/** The first answer to an interaction, with the files among its data. */
export const callback = z.discriminatedUnion("type", [
  z.object({
    type: z.literal(InteractionResponseType.ChannelMessageWithSource),
    data: messageBodies.answer,
  }),
  z.object({ type: z.literal(InteractionResponseType.UpdateMessage), data: messageBodies.edit }),
  z.object({
    type: z.literal(InteractionResponseType.DeferredChannelMessageWithSource),
    data: z.object({ flags: z.literal([0, MessageFlags.Ephemeral]).nullish() }),
  }),
  z.object({ type: z.literal(InteractionResponseType.DeferredMessageUpdate) }),
  z.object({
    type: z.literal(InteractionResponseType.ApplicationCommandAutocompleteResult),
    data: z.object({ choices: z.array(choice).max(25) }),
  }),
  z.object({ type: z.literal(InteractionResponseType.Modal), data: modal }),
]);
