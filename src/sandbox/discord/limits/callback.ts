import type { Check } from "./checks.ts";
import { among, decimal, filledText, isRecord, list, shape, text } from "./checks.ts";
import { MESSAGE_FLAG } from "../message-body.ts";
import type { UploadedFile } from "../message-body.ts";
import { checkMessage } from "./message.ts";
import { checkModal } from "./modal.ts";
import type { Problems } from "./problems.ts";

/** Kinds of first answers. Source: Discord's reference, "Interaction Callback Type". */
export const CALLBACK = {
  MESSAGE: 4,
  DEFER_MESSAGE: 5,
  DEFER_UPDATE: 6,
  UPDATE: 7,
  CHOICES: 8,
  MODAL: 9,
} as const;

const choiceValue: Check = (value, path, problems) => {
  if (typeof value === "string") text(1, 100)(value, path, problems);
  else decimal()(value, path, problems);
};

const choices = shape(
  { choices: list(shape({ name: filledText(100), value: choiceValue }, ["name", "value"]), 0, 25) },
  ["choices"],
);

const deferral = shape({ flags: among([0, MESSAGE_FLAG.EPHEMERAL]) });

/**
 * All that Discord refuses in a first answer. `allowed`: the types that fit the interaction that it answers.
 */
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
    case CALLBACK.MESSAGE:
      checkMessage(data, files, "answer", ["data"], problems);
      return;
    case CALLBACK.UPDATE:
      checkMessage(data, files, "edit", ["data"], problems);
      return;
    case CALLBACK.DEFER_MESSAGE:
      deferral(data, ["data"], problems);
      return;
    case CALLBACK.CHOICES:
      choices(data, ["data"], problems);
      return;
    case CALLBACK.MODAL:
      checkModal(data, ["data"], problems);
      return;
    default:
  }
};
