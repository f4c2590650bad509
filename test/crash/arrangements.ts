import type { DestinationChoice } from "#src/accounts/account.ts";
import type { Person } from "#src/sandbox/discord/people/person.ts";
import type { ActionResult, StoredMessage } from "#src/sandbox/discord/state.ts";
import { CHANNELS } from "#src/sandbox/world.ts";

/** What sellers and an admin choose before the bots of a loop are killed. */

const messageOf = (shown: ActionResult): StoredMessage => {
  if (shown.kind !== "message") throw new Error(`No message: ${JSON.stringify(shown)}`);
  return shown.message;
};

const IN_GENERAL = { channelId: CHANNELS.geral.id };

/** The component whose id begins so. @throws Error where the message has none */
const idIn = ({ components }: StoredMessage, begin: string): string => {
  const text = JSON.stringify(components);
  const id = new RegExp(`"custom_id":"(${begin}:[^"]*)"`).exec(text)?.[1];
  if (id === undefined) throw new Error(`No ${begin}: ${text}`);
  return id;
};

/** Connects an account. `agrees`: also to the daily report. */
export const connect = async (person: Person, apiKey: string, agrees: boolean): Promise<void> => {
  const command = { ...IN_GENERAL, name: "conta", subcommand: "conectar" };
  const form = await person.command(command);
  if (form.kind !== "modal") throw new Error(`No form: ${JSON.stringify(form)}`);
  const shown = messageOf(await person.submitModal(form.modal, { api_key: apiKey }));
  if (agrees) messageOf(await person.click(shown.id, idIn(shown, "conta:aceitar")));
};

/** Chooses where the own report, or notices of the own sales, come out. */
export const chooseDestination = async (
  person: Person,
  posts: "relatorio" | "vendas",
  choice: DestinationChoice,
): Promise<void> => {
  const command = { ...IN_GENERAL, name: "conta", subcommand: "ver" };
  const shown = messageOf(await person.command(command));
  messageOf(await person.select(shown.id, idIn(shown, `conta:${posts}`), [choice]));
};

/** An admin sets the channel of reports or of sale notices. */
export const chooseChannel = async (
  admin: Person,
  posts: "relatorio" | "vendas",
  canal: string,
): Promise<StoredMessage> =>
  messageOf(
    await admin.command({ ...IN_GENERAL, name: "config", subcommand: posts, options: { canal } }),
  );

/** An admin sets the channel of the report, which names its sellers on a day without sales too. */
export const arrangeReportChannel = async (admin: Person): Promise<void> => {
  const saved = await chooseChannel(admin, "relatorio", CHANNELS.vendas.id);
  messageOf(await admin.select(saved.id, idIn(saved, "config:vazio"), ["send"]));
};
