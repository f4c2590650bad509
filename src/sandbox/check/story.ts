import { ComponentType } from "discord-api-types/v10";
import type { Person } from "../discord/people/person.ts";
import type { ActionResult, StoredMessage } from "../discord/state.ts";

/** Prints a step that held. */
export const done = (step: string): void => console.log(`✓ ${step}`);

/** @throws Error with the message `otherwise` when it does not hold */
export const mustHold = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};

/** @throws Error when the answer did not come, or others can see it. */
export const privateMessage = (shown: ActionResult): StoredMessage => {
  if (shown.kind !== "message") throw new Error(`a resposta não veio: ${textShown(shown)}`);
  mustHold(shown.private, "a resposta não foi privada");
  return shown.message;
};

/** First line of a message, as its reader sees it. */
export const headline = ({ content, embeds }: StoredMessage): string =>
  (embeds[0]?.title ?? embeds[0]?.description ?? content).split("\n")[0] ?? "";

export const textOf = ({ content, embeds }: StoredMessage): string =>
  [
    content,
    ...embeds.flatMap(({ title, description, fields = [] }) => [
      title,
      description,
      ...fields.flatMap(({ name, value }) => [name, value]),
    ]),
  ]
    .filter((part) => part !== undefined)
    .join("\n");

export const textShown = (shown: ActionResult): string => {
  if (shown.kind === "failed") return shown.detail ?? shown.reason;
  return shown.kind === "modal" ? shown.modal.title : headline(shown.message);
};

/** Custom id of the first button with a label that begins with `label`; undefined without such a button. */
export const buttonOf = (message: StoredMessage, label: string): string | undefined => {
  for (const row of message.components) {
    if (row.type !== ComponentType.ActionRow) continue;
    for (const part of row.components)
      if ("label" in part && (part.label ?? "").startsWith(label) && "custom_id" in part)
        return part.custom_id;
  }
  return undefined;
};

/** @throws Error when there is no such button. */
export const press = (
  person: Person,
  message: StoredMessage,
  label: string,
): Promise<ActionResult> => {
  const id = buttonOf(message, label);
  if (id === undefined) throw new Error(`nenhum botão "${label}" em: ${headline(message)}`);
  return person.click(message.id, id);
};
