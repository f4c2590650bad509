import { type APISelectMenuOption, ButtonStyle, ComponentType } from "discord-api-types/v10";
import {
  among,
  type BodyPath,
  type Check,
  flag,
  integer,
  isRecord,
  link,
  list,
  type Rule,
  shape,
  snowflake,
  text,
} from "./checks.ts";

export const customId = text(1, 100);

const emoji = shape({ id: snowflake, name: text(0, 32), animated: flag });

/** Checks a component with the check of its type; refuses types outside the table. */
export const byType =
  (table: ReadonlyMap<number, Check>): Check =>
  (value, path, problems) => {
    const check = isRecord(value) ? table.get(value["type"] as number) : undefined;
    if (check !== undefined) {
      check(value, path, problems);
      return;
    }
    const message = `Value of field "type" must be one of (${[...table.keys()].join(", ")}).`;
    problems.add([...path, "type"], "UNION_TYPE_CHOICES", message);
  };

const buttonRules: Rule = (given, path, problems) => {
  const { style, custom_id: id, url, label, emoji: picture } = given;
  const refuse = (field: string, message: string): void =>
    problems.add([...path, field], "BUTTON_COMPONENT_INVALID", message);
  if (style === ButtonStyle.Link) {
    if (!url) refuse("url", "A url is required");
    if (id) refuse("custom_id", "A custom id and url cannot both be specified");
  } else {
    if (!id) refuse("custom_id", "A custom id is required");
    if (url) refuse("url", "A custom id and url cannot both be specified");
  }
  if (!label && !picture) refuse("label", "A label or an emoji is required");
};

/** A button. Its style (custom id or link) decides which other fields it needs. */
const button = shape(
  {
    style: among([1, 2, 3, 4, 5]),
    custom_id: customId,
    label: text(0, 80),
    url: link(["http", "https", "discord"], 512),
    emoji,
    disabled: flag,
  },
  ["style"],
  buttonRules,
);

const option = shape(
  { label: text(1, 100), value: text(1, 100), description: text(0, 100), emoji, default: flag },
  ["label", "value"],
);

const optionRules: Rule = (value, path, problems) => {
  if (!Array.isArray(value["options"])) return;
  const options = value["options"] as readonly (Partial<APISelectMenuOption> | null)[];
  const most = typeof value["max_values"] === "number" ? value["max_values"] : 1;
  const seen = new Set<unknown>();
  for (const [index, entry] of options.entries()) {
    if (seen.has(entry?.value)) {
      const message = "The specified option value is already used";
      const at = [...path, "options", index, "value"];
      problems.add(at, "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message);
    }
    seen.add(entry?.value);
  }
  if (most > options.length) {
    const message = `int value should be less than or equal to ${options.length}.`;
    problems.add([...path, "max_values"], "NUMBER_TYPE_MAX", message);
  }
  if (options.filter((entry) => entry?.default === true).length > most) {
    const message = "Too many default values";
    problems.add([...path, "options"], "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message);
  }
};

const countRules: Rule = (value, path, problems) => {
  const { min_values: least, max_values: most } = value;
  if (typeof least !== "number" || least <= (typeof most === "number" ? most : 1)) return;
  const message = "min_values must be less than or equal to max_values";
  problems.add([...path, "min_values"], "SELECT_COMPONENT_INVALID_RANGE", message);
};

const select = {
  custom_id: customId,
  placeholder: text(0, 150),
  min_values: integer(0, 25),
  max_values: integer(1, 25),
  disabled: flag,
};

export const stringSelect = shape(
  { ...select, options: list(option, 1, 25) },
  ["custom_id", "options"],
  (given, path, problems) => {
    optionRules(given, path, problems);
    countRules(given, path, problems);
  },
);

const entitySelect = shape(
  {
    ...select,
    channel_types: list(integer(0, 30), 0, 20),
    default_values: list(
      shape({ id: snowflake, type: among(["role", "channel"]) }, ["id", "type"]),
      0,
      25,
    ),
  },
  ["custom_id"],
  countRules,
);

const widthRule: Rule = (value, path, problems) => {
  if (!Array.isArray(value["components"])) return;
  const inside = value["components"] as readonly unknown[];
  const hasSelect = inside.some(
    (entry) => isRecord(entry) && entry["type"] !== ComponentType.Button,
  );
  if (!hasSelect || inside.length === 1) return;
  const message = "The specified component exceeds the maximum width";
  problems.add([...path, "components"], "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message);
};

const inRow = new Map<number, Check>([
  [ComponentType.Button, button],
  [ComponentType.StringSelect, stringSelect],
  [ComponentType.RoleSelect, entitySelect],
  [ComponentType.ChannelSelect, entitySelect],
]);

/** A row of up to 5 buttons, or of a single select. */
const row = shape({ components: list(byType(inRow), 1, 5) }, ["components"], widthRule);

const MOST_ROWS = 5;

/** Calls `visit` for each component, nested components included. */
export const walkComponents = (
  components: unknown,
  path: BodyPath,
  visit: (component: Readonly<Record<string, unknown>>, path: BodyPath) => void,
): void => {
  if (!Array.isArray(components)) return;
  for (const [index, component] of components.entries()) {
    if (!isRecord(component)) continue;
    const at = [...path, index];
    visit(component, at);
    walkComponents(component["components"], [...at, "components"], visit);
    if (component["component"])
      walkComponents([component["component"]], [...at, "component"], visit);
  }
};

/** Custom ids must be unique within a message or a modal. */
export const uniqueCustomIds: Check = (value, path, problems) => {
  const seen = new Set<unknown>();
  walkComponents(value, path, (component, at) => {
    const id = component["custom_id"];
    if (id === undefined || id === null) return;
    if (seen.has(id)) {
      const message = "Component custom id cannot be duplicated";
      problems.add([...at, "custom_id"], "COMPONENT_CUSTOM_ID_DUPLICATED", message);
    }
    seen.add(id);
  });
};

const rows = list(byType(new Map([[ComponentType.ActionRow, row]])), 0, MOST_ROWS);
/** Checks the components of a message: rows of buttons and selects. */
export const checkComponents: Check = (value, path, problems) => {
  rows(value, path, problems);
  uniqueCustomIds(value, path, problems);
};
