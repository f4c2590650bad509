import { ComponentType, InteractionResponseType, MessageFlags } from "discord-api-types/v10";
import {
  among,
  type BodyPath,
  both,
  type Check,
  decimal,
  filledText,
  flag,
  integer,
  isRecord,
  lengthOf,
  list,
  type Problems,
  type Rule,
  shape,
  text,
} from "./checks.ts";
import { type UploadedFile } from "../message-body.ts";
import { checkMessage } from "./message.ts";
import { byType, customId, stringSelect, uniqueCustomIds } from "./components.ts";

const choiceValue: Check = (value, path, problems) => {
  if (typeof value === "string") text(1, 100)(value, path, problems);
  else decimal()(value, path, problems);
};

const choices = shape(
  { choices: list(shape({ name: filledText(100), value: choiceValue }, ["name", "value"]), 0, 25) },
  ["choices"],
);

const deferral = shape({ flags: among([0, MessageFlags.Ephemeral]) });

/** Checks the first answer to an interaction. `allowed`: the answer types for this kind of interaction. */
export const checkCallback = (
  value: unknown,
  files: readonly UploadedFile[],
  allowed: readonly number[],
  problems: Problems,
): void => {
  shape({ type: among(allowed) }, ["type"])(value, [], problems);
  if (problems.count() > 0 || !isRecord(value)) return;
  const data = value["data"] ?? {};
  switch (value["type"]) {
    case InteractionResponseType.ChannelMessageWithSource:
      checkMessage(data, files, "answer", ["data"], problems);
      return;
    case InteractionResponseType.UpdateMessage:
      checkMessage(data, files, "edit", ["data"], problems);
      return;
    case InteractionResponseType.DeferredChannelMessageWithSource:
      deferral(data, ["data"], problems);
      return;
    case InteractionResponseType.ApplicationCommandAutocompleteResult:
      choices(data, ["data"], problems);
      return;
    case InteractionResponseType.Modal:
      checkModal(data, ["data"], problems);
      return;
    default:
  }
};

const inputRules: Rule = (field, path, problems) => {
  const { min_length: least, max_length: most, value: given } = field;
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

const inputOfRow = shape(input, ["custom_id", "style", "label"], inputRules);
const inputOfLabel = shape(input, ["custom_id", "style"], inputRules);

const menuRules: Rule = ({ required = true, min_values: least = 1 }, path, problems) => {
  if (required !== true || least !== 0) return;
  const message = "min_values must be at least 1 when required";
  problems.add([...path, "min_values"], "SELECT_COMPONENT_INVALID_RANGE", message);
};

const menuOfLabel = both(stringSelect, shape({ required: flag }, [], menuRules));

const inLabel = new Map<number, Check>([
  [ComponentType.TextInput, inputOfLabel],
  [ComponentType.StringSelect, menuOfLabel],
]);

const parts = new Map<number, Check>([
  [
    ComponentType.ActionRow,
    shape({ components: list(byType(new Map([[ComponentType.TextInput, inputOfRow]])), 1, 1) }, [
      "components",
    ]),
  ],
  [ComponentType.TextDisplay, shape({ content: text(1, 4_000) }, ["content"])],
  [
    ComponentType.Label,
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

/** Checks a modal. Source: Discord's reference, "Modal" and "Text Input". */
const checkModal = (value: unknown, path: BodyPath, problems: Problems): void => {
  modal(value, path, problems);
  if (isRecord(value)) uniqueCustomIds(value["components"], [...path, "components"], problems);
};
