import type { Check } from "./checks.ts";
import { among, both, flag, integer, isRecord, lengthOf, list, shape, text } from "./checks.ts";
import { byType, COMPONENT, customId } from "./component-types.ts";
import { uniqueCustomIds } from "./components.ts";
import type { BodyPath, Problems } from "./problems.ts";

const inputRules: Check = (value, path, problems) => {
  if (!isRecord(value)) return;
  const { min_length: least, max_length: most, value: given } = value;
  if (typeof least === "number" && typeof most === "number" && least > most) {
    const message = "min_length must be less than or equal to max_length";
    problems.add([...path, "min_length"], "TEXT_INPUT_INVALID_RANGE", message);
  }
  if (typeof given === "string" && typeof most === "number" && lengthOf(given) > most) {
    const message = `Must be ${most} or fewer in length.`;
    problems.add([...path, "value"], "BASE_TYPE_MAX_LENGTH", message);
  }
};

const input = {
  custom_id: customId,
  style: among([1, 2]),
  label: text(1, 45),
  value: text(0, 4_000),
  placeholder: text(0, 100),
  required: flag,
  min_length: integer(0, 4_000),
  max_length: integer(1, 4_000),
};

const inputOfRow = both(shape(input, ["custom_id", "style", "label"]), inputRules);
const inputOfLabel = both(shape(input, ["custom_id", "style"]), inputRules);

/** Selects, files and the like in a label: the sandbox lets them through and people cannot fill them. */
const otherInLabel: Check = shape({ custom_id: customId }, ["custom_id"]);

const inLabel = new Map<number, Check>([[COMPONENT.TEXT_INPUT, inputOfLabel]]);
for (const type of [3, 5, 6, 7, 8, 19, 21, 22, 23]) inLabel.set(type, otherInLabel);

const parts = new Map<number, Check>([
  [
    COMPONENT.ROW,
    shape({ components: list(byType(new Map([[COMPONENT.TEXT_INPUT, inputOfRow]])), 1, 1) }, [
      "components",
    ]),
  ],
  [COMPONENT.TEXT, shape({ content: text(1, 4_000) }, ["content"])],
  [
    COMPONENT.LABEL,
    shape({ label: text(1, 45), description: text(1, 100), component: byType(inLabel) }, [
      "label",
      "component",
    ]),
  ],
]);

const modal = shape(
  { custom_id: customId, title: text(1, 45), components: list(byType(parts), 1, 5) },
  ["custom_id", "title", "components"],
);

/** All that Discord refuses in a modal. Source: Discord's reference, "Modal" and "Text Input". */
export const checkModal = (value: unknown, path: BodyPath, problems: Problems): void => {
  modal(value, path, problems);
  if (isRecord(value)) uniqueCustomIds(value["components"], [...path, "components"], problems);
};
