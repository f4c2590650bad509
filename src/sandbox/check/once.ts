import type { StoredMessage } from "../discord/local-discord.ts";
import type { Demo } from "../start-demo.ts";
import { ANA, APPLICATION, CHANNELS, PEOPLE } from "../world.ts";
import { done, headline, mustHold, textOf } from "./story.ts";

/** In the end no message of the bot tells the same of the same MED again, in whatever channel. */
export const checkOnce = ({ sandbox: { discord, wallet } }: Demo): void => {
  const ids = wallet.meds(ANA.id).map(({ infractionId }) => infractionId);
  const posted = [
    ...Object.values(CHANNELS).flatMap(({ id }) => discord.messages(id)),
    ...PEOPLE.flatMap(({ id }) => discord.directMessages(id)),
  ].filter(({ authorId }) => authorId === APPLICATION.id);
  const alerts = posted.flatMap((message) => {
    const text = textOf(message);
    return ids.filter((id) => text.includes(id)).map((id) => `${headline(message)}: ${id}`);
  });
  noneTwice(alerts, "alerta repetido");
  noneTwice(posted.flatMap(markOf), "mensagem repetida");
  done(`De ${alerts.length} alertas de MED, nenhum saiu duas vezes`);
};

/** By it a post is found again; each has its own. */
const markOf = ({ embeds }: StoredMessage): readonly string[] =>
  embeds.flatMap(({ footer }) => footer?.text ?? []);

const noneTwice = (all: readonly string[], otherwise: string): void => {
  const again = all.find((each, index) => all.indexOf(each) !== index);
  mustHold(again === undefined, `${otherwise}: ${again}`);
};
