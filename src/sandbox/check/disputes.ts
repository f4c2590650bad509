import { SECOND } from "../../shared/time.ts";
import { isUnanswered, type Med } from "../wallet/meds.ts";
import type { StoredMessage } from "../discord/state.ts";
import type { Demo } from "../start-demo.ts";
import { ANA, APPLICATION, CHANNELS, PEOPLE } from "../world.ts";
import { done, headline, mustHold, privateMessage, textOf } from "./story.ts";

const NEW = {
  amountCents: 120_00,
  situationType: "FRAUDE",
  hoursToAnswer: 5,
  original: { type: "api", product: "Plano VIP mensal" },
} as const;
/** What the bot read a moment ago it does not read again. */
const READ_AGAIN_MS = 3 * SECOND;
/** Of the menu under the list. */
const OPEN = "meds:abrir:";

/** Ana's MEDs by urgency, and one from its opening to her answer. */
export const checkDisputes = async (demo: Demo): Promise<void> => {
  const { clock, discord, wallet } = demo.sandbox;
  const ana = discord.person(ANA.id);
  const ask = async (options: Readonly<Record<string, string>> = {}): Promise<StoredMessage> =>
    privateMessage(await ana.command({ channelId: CHANNELS.geral.id, name: "meds", options }));

  const seeded = await ask();
  listsByUrgency(demo, seeded);
  done(`Ana digita /meds e lê todos, o mais urgente primeiro: ${counted(seeded)}`);

  const id = wallet.openMed(ANA.id, NEW);
  clock.moveBy(READ_AGAIN_MS);
  const list = await ask();
  listsByUrgency(demo, list);
  done(`Um pagador abre um MED na carteira, e ele aparece: ${counted(list)}`);

  const detail = privateMessage(await ana.select(list.id, OPEN, [id]));
  mustHold(textOf(detail).includes(id), `não abriu o MED: ${headline(detail)}`);
  mustHold(textOf(detail).includes("120,00"), "o MED aberto não mostra R$ 120,00");
  done(`Ela escolhe o MED na lista e lê tudo dele: ${headline(detail)}`);

  wallet.answerMed(ANA.id, id, { status: "disagreed", text: "Produto entregue." });
  clock.moveBy(READ_AGAIN_MS);
  const answered = await ask({ infracao: id });
  mustHold(headline(answered).includes("Defendido"), `depois da resposta: ${headline(answered)}`);
  done(`Ela responde no painel do serviço, e o bot sabe: ${headline(answered)}`);
};

/** Every MED of the wallet's books stands in the list, and first those that Ana has to answer, in their order. */
const listsByUrgency = ({ sandbox: { clock, wallet } }: Demo, list: StoredMessage): void => {
  const text = textOf(list);
  const places = wallet
    .meds(ANA.id)
    .map((med) => ({ med, place: text.indexOf(med.infractionId) }))
    .toSorted((a, b) => a.place - b.place);
  mustHold(
    places.every(({ place }) => place >= 0),
    `falta um MED na lista: ${headline(list)}`,
  );
  const due = wallet.meds(ANA.id).filter(isUnanswered).toSorted(moreUrgent(clock.now()));
  mustHold(
    due.every(({ infractionId }, index) => places[index]?.med.infractionId === infractionId),
    "a lista não começa pelos MEDs mais urgentes",
  );
};

/** What can be answered in time by its deadline, then what is overdue, the latest first. */
const moreUrgent =
  (now: Temporal.Instant) =>
  (one: Med, other: Med): number => {
    const [a, b] = [one, other].map(({ dueAt }) => dueAt.since(now).total("seconds"));
    if (a === undefined || b === undefined || a > 0 !== b > 0) return (b ?? 0) - (a ?? 0);
    return a > 0 ? a - b : b - a;
  };

/** What is in bold at the top: how many await her answer. */
const counted = ({ embeds }: StoredMessage): string =>
  /\*\*(.+?)\*\*/.exec(embeds[0]?.description ?? "")?.[1] ?? "";

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
