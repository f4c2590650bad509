import type { Check } from "./checks.ts";
import { among, both, flag, integer, isRecord, list, shape, snowflake, text } from "./checks.ts";
import { customId, emoji } from "./component-types.ts";

const option = shape(
  { label: text(1, 100), value: text(1, 100), description: text(0, 100), emoji, default: flag },
  ["label", "value"],
);

interface SelectOptionLike {
  readonly value?: unknown;
  readonly default?: unknown;
}

const optionRules: Check = (value, path, problems) => {
  if (!isRecord(value) || !Array.isArray(value["options"])) return;
  const options = value["options"] as readonly (SelectOptionLike | null)[];
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

const countRules: Check = (value, path, problems) => {
  if (!isRecord(value)) return;
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

/** A select with options of its own. */
export const stringSelect = both(
  both(shape({ ...select, options: list(option, 1, 25) }, ["custom_id", "options"]), optionRules),
  countRules,
);

/** A select of people, roles or channels. */
export const entitySelect = both(
  shape(
    {
      ...select,
      channel_types: list(integer(0, 30), 0, 20),
      default_values: list(
        shape({ id: snowflake, type: among(["user", "role", "channel"]) }, ["id", "type"]),
        0,
        25,
      ),
    },
    ["custom_id"],
  ),
  countRules,
);
