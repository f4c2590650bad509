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
/** Longer than the bot reuses an answer of the wallet. */
const READ_AGAIN_MS = 3 * SECOND;
/** Start of the custom id of the menu under the list. */
const OPEN = "meds:abrir:";

/** Ana lists her MEDs by urgency and follows a new MED from its opening to her answer. */
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

/** Requires every MED of the wallet in the list, and the unanswered MEDs first, by urgency. */
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

/** MEDs still in time by their deadline, then overdue MEDs, the latest deadline first. */
const moreUrgent =
  (now: Temporal.Instant) =>
  (one: Med, other: Med): number => {
    const [a, b] = [one, other].map(({ dueAt }) => dueAt.since(now).total("seconds"));
    if (a === undefined || b === undefined || a > 0 !== b > 0) return (b ?? 0) - (a ?? 0);
    return a > 0 ? a - b : b - a;
  };

/** The bold count at the top: MEDs that await her answer. */
const counted = ({ embeds }: StoredMessage): string =>
  /\*\*(.+?)\*\*/.exec(embeds[0]?.description ?? "")?.[1] ?? "";

/** Requires at the end that all channels together have each alert, and each message, only once. */
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

/** The footers of a message: unique marks by which the bot finds its posts. */
const markOf = ({ embeds }: StoredMessage): readonly string[] =>
  embeds.flatMap(({ footer }) => footer?.text ?? []);

const noneTwice = (all: readonly string[], otherwise: string): void => {
  const again = all.find((each, index) => all.indexOf(each) !== index);
  mustHold(again === undefined, `${otherwise}: ${again}`);
};
