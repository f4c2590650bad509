import { ButtonStyle, ComponentType } from "discord-api-types/v10";
import { z } from "zod";
import { areUnique, flag, isRecord, link, snowflake, text } from "./checks.ts";

export const customId = text(1, 100);

const emoji = z
  .object({ id: snowflake.nullish(), name: text(0, 32).nullish(), animated: flag })
  .nullish();

/** A button. Its style (custom id or link) decides which other fields it needs. */
const button = z
  .object({
    type: z.literal(ComponentType.Button),
    style: z.literal([
      ButtonStyle.Primary,
      ButtonStyle.Secondary,
      ButtonStyle.Success,
      ButtonStyle.Danger,
      ButtonStyle.Link,
    ]),
    custom_id: customId.nullish(),
    label: text(0, 80).nullish(),
    url: link(["http", "https", "discord"], 512).nullish(),
    emoji,
    disabled: flag,
  })
  .refine(({ style, url }) => (style === ButtonStyle.Link) === Boolean(url), {
    path: ["url"],
    message: "A link has a url, any other button a custom id",
  })
  .refine(({ style, custom_id: id }) => (style === ButtonStyle.Link) !== Boolean(id), {
    path: ["custom_id"],
    message: "A link has a url, any other button a custom id",
  })
  .refine(({ label, emoji }) => label || emoji, {
    path: ["label"],
    message: "A label or an emoji is required",
  });

const select = {
  custom_id: customId,
  placeholder: text(0, 150).nullish(),
  min_values: z.int().min(0).max(25).nullish(),
  max_values: z.int().min(1).max(25).nullish(),
  disabled: flag,
};

type Counts = Readonly<Partial<Record<"min_values" | "max_values", number | null | undefined>>>;

const fitsCounts = ({ min_values: least, max_values: most }: Counts): boolean =>
  (least ?? 1) <= (most ?? 1);
const WRONG_COUNTS = "min_values must be less than or equal to max_values";

const option = z.object({
  label: text(1, 100),
  value: text(1, 100),
  description: text(0, 100).nullish(),
  emoji,
  default: flag,
});

export const stringSelect = z
  .object({
    type: z.literal(ComponentType.StringSelect),
    ...select,
    /** In a modal. */
    required: flag,
    options: z
      .array(option)
      .min(1)
      .max(25)
      .refine(
        (options) => areUnique(options.map(({ value }) => value)),
        "The specified option value is already used",
      ),
  })
  .refine(fitsCounts, WRONG_COUNTS)
  .refine(({ max_values: most, options }) => (most ?? 1) <= options.length, {
    path: ["max_values"],
    message: "More values than options",
  })
  .refine(
    ({ max_values: most, options }) =>
      options.filter((each) => each.default === true).length <= (most ?? 1),
    { path: ["options"], message: "Too many default values" },
  );

const entitySelect = z
  .object({
    type: z.literal([ComponentType.RoleSelect, ComponentType.ChannelSelect]),
    ...select,
    channel_types: z.array(z.int()).nullish(),
    default_values: z
      .array(z.object({ id: snowflake, type: z.literal(["role", "channel"]) }))
      .max(25)
      .nullish(),
  })
  .refine(fitsCounts, WRONG_COUNTS);

/** A row of up to 5 buttons, or of a single select. */
const row = z.object({
  type: z.literal(ComponentType.ActionRow),
  components: z
    .array(z.discriminatedUnion("type", [button, stringSelect, entitySelect]))
    .min(1)
    .max(5)
    .refine(
      (inside) => inside.length < 2 || inside.every(({ type }) => type === ComponentType.Button),
      "The specified component exceeds the maximum width",
    ),
});

/** Calls `visit` for each component, nested components included. */
export const walkComponents = (
  components: unknown,
  visit: (component: Readonly<Record<string, unknown>>) => void,
): void => {
  if (!Array.isArray(components)) return;
  for (const component of components) {
    if (!isRecord(component)) continue;
    visit(component);
    walkComponents(component["components"], visit);
    walkComponents([component["component"]], visit);
  }
};

/** Custom ids must be unique within a message or a modal. */
export const haveUniqueIds = (components: unknown): boolean => {
  const ids: unknown[] = [];
  walkComponents(components, ({ custom_id: id }) => id && ids.push(id));
  return areUnique(ids);
};
export const DUPLICATED_ID = "Component custom id cannot be duplicated";

/** The components of a message: rows of buttons and selects. */
export const rows = z
  .array(z.discriminatedUnion("type", [row]))
  .max(5)
  .refine(haveUniqueIds, DUPLICATED_ID);
