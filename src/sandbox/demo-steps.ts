import { ComponentType } from "discord-api-types/v10";
import type { ActionResult, StoredMessage } from "./discord/state.ts";
import type { Demo } from "./start-demo.ts";
import { ANA, CHANNELS } from "./world.ts";

/** Prints a step of the demo's check that held. */
export const done = (step: string): void => console.log(`✓ ${step}`);

/** @throws Error with the words of `otherwise` */
export const mustHold = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};

/** A command as a person types it, such as "conta ver". */
export const ask = (
  { sandbox }: Demo,
  personId: string,
  typed: string,
  options: Readonly<Record<string, string>> = {},
): Promise<ActionResult> => {
  const [name = "", subcommand] = typed.split(" ");
  return sandbox.discord.person(personId).command({
    channelId: CHANNELS.geral.id,
    name,
    ...(subcommand !== undefined && { subcommand }),
    options,
  });
};

/** Somebody, by default Ana, presses the first button whose label begins with `label`. @throws Error without such a button */
export const press = (
  { sandbox }: Demo,
  message: StoredMessage,
  label: string,
  personId: string = ANA.id,
): Promise<ActionResult> => {
  const id = buttonOf(message, label);
  if (id === undefined) throw new Error(`nenhum botão "${label}" em: ${headline(message)}`);
  return sandbox.discord.person(personId).click(message.id, id);
};

export const buttonOf = ({ components }: StoredMessage, label: string): string | undefined =>
  components
    .flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []))
    .flatMap((part) =>
      "label" in part && "custom_id" in part && (part.label ?? "").startsWith(label)
        ? [part.custom_id]
        : [],
    )[0];

/** @throws Error when the answer did not come, or others can see it. */
export const privateMessage = (shown: ActionResult): StoredMessage => {
  if (shown.kind !== "message") throw new Error(`a resposta não veio: ${shownIn(shown)}`);
  mustHold(shown.private, "a resposta não foi privada");
  return shown.message;
};

/** Ana's reply in its current form, after edits. */
export const visible = ({ sandbox }: Demo, reply: StoredMessage): StoredMessage =>
  sandbox.discord
    .visibleTo(ANA.id)
    .channels.flatMap(({ messages }) => messages)
    .find(({ id }) => id === reply.id) ?? reply;

/** First line of a message, as its reader sees it. */
export const headline = ({ content, embeds }: StoredMessage): string =>
  (embeds[0]?.title ?? embeds[0]?.description ?? content).split("\n")[0] ?? "";

export const shownIn = (shown: ActionResult): string => {
  if (shown.kind === "failed") return shown.detail ?? shown.reason;
  return shown.kind === "modal" ? shown.modal.title : headline(shown.message);
};

export const textOf = ({ content, embeds }: StoredMessage): string =>
  [
    content,
    ...embeds.flatMap(({ title, description, fields = [] }) => [
      title,
      description,
      ...fields.flatMap(({ name, value }) => [name, value]),
    ]),
  ].join("\n");

const PNG = "89504e470d0a1a0a";

export const hasPicture = ({ sandbox }: Demo, message: StoredMessage | undefined): boolean =>
  (message?.attachments ?? []).some(
    ({ id }) => sandbox.discord.attachmentData(id)?.subarray(0, 8).toString("hex") === PNG,
  );

/** Kills the bot and brings it back, by the page, as a person would. */
export const restartBot = async ({ page: { url }, sandbox: { discord } }: Demo): Promise<void> => {
  for (const up of [false, true]) {
    const body = JSON.stringify({ what: "bot", up });
    const { ok } = await fetch(`${url}/outage`, { method: "POST", headers: { origin: url }, body });
    mustHold(ok, `o bot não ${up ? "voltou" : "caiu"} pela página`);
    mustHold(discord.visibleTo(ANA.id).botOnline === up, "o bot não mudou de estado");
  }
};
