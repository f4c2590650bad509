import { MINUTE } from "../../shared/time.ts";
import type { Demo } from "../start-demo.ts";
import { ANA, BRUNO, CARLA, CHANNELS, ROLES } from "../world.ts";
import { pass, settle } from "../pass-time.ts";
import { done, headline, mustHold, press, privateMessage, textOf, textShown } from "./story.ts";
import type { StoredMessage } from "../discord/state.ts";
import type { Med } from "../wallet/meds.ts";

const ACCEPT_IN_CHANNEL = "channel";
/** Longer than the interval at which the bot reads disputes. */
const DISPUTE_CHECK_MS = 6 * MINUTE;
const HOURS_TO_ANSWER = 80;

/** Follows four MEDs from their opening to their end in the channel of alerts. */
export const checkAlerts = async (demo: Demo): Promise<void> => {
  const alerts = createAlertChannel(demo);
  await chooseChannel(demo);
  await agree(demo);
  const meds = {
    ignored: alerts.open(89_90, HOURS_TO_ANSWER),
    defended: alerts.open(149_00, HOURS_TO_ANSWER),
    conceded: alerts.open(35_50, HOURS_TO_ANSWER),
    promised: alerts.open(62_40, HOURS_TO_ANSWER),
  };
  await pass(demo, DISPUTE_CHECK_MS);
  await pass(demo, DISPUTE_CHECK_MS);
  for (const med of Object.values(meds)) alerts.shows(med, "new");
  const alert = alerts.newest(meds.ignored);
  done(`Pagadores abrem 4 MEDs, e cada um é anunciado uma vez, com o cargo: ${headline(alert)}`);
  await readsPrivately(demo, alerts, meds.ignored);
  await checkDefence(demo, alerts, meds.ignored);
  await checkReminders(demo, alerts, meds);
  await checkDecisions(demo, alerts, meds);
};

const chooseChannel = async ({ sandbox: { discord } }: Demo): Promise<void> => {
  const saved = await discord.person(CARLA.id).command({
    channelId: CHANNELS.geral.id,
    name: "config",
    subcommand: "alertas",
    options: { canal: CHANNELS.avisos.id, cargo: ROLES.equipe.id },
  });
  const { avisos } = CHANNELS;
  done(`Carla escolhe #${avisos.name} e @${ROLES.equipe.name}: ${headline(privateMessage(saved))}`);
};

/** Ana accepts the channel: until then her alerts reach only her. */
const agree = async (demo: Demo): Promise<void> => {
  const { discord } = demo.sandbox;
  const ana = discord.person(ANA.id);
  await pass(demo, DISPUTE_CHECK_MS);
  mustHold(discord.messages(CHANNELS.avisos.id).length === 0, "o canal tem alertas sem o aceite");
  mustHold(
    discord.directMessages(ANA.id).some((message) => headline(message).includes("MED")),
    "os MEDs de Ana não chegaram por mensagem direta",
  );
  const seen = privateMessage(
    await ana.command({ channelId: CHANNELS.geral.id, name: "conta", subcommand: "ver" }),
  );
  const chosen = await ana.select(seen.id, `conta:alertas:${ANA.id}`, [ACCEPT_IN_CHANNEL]);
  const agreed = privateMessage(chosen);
  mustHold(textOf(agreed).includes(CHANNELS.avisos.id), "/conta ver não diz o canal dos alertas");
  done(`Até aqui só ela lê os alertas; em /conta ver, Ana aceita o canal: ${headline(agreed)}`);
};

const readsPrivately = async (
  { sandbox: { discord } }: Demo,
  alerts: AlertChannel,
  med: Med,
): Promise<void> => {
  const alert = alerts.newest(med);
  const refused = await press(discord.person(BRUNO.id), alert, "Ver detalhes");
  mustHold(!textShown(refused).startsWith("MED"), "Bruno leu os detalhes do MED de Ana");
  const detail = privateMessage(await press(discord.person(ANA.id), alert, "Ver detalhes"));
  mustHold(textOf(detail).includes(med.description), "os detalhes não têm o relato do pagador");
  done(`Só Ana vê os detalhes; Bruno lê: ${textShown(refused)}`);
};

const KEEP = "Guardar como prova";
const WORDS = "Recebi o acesso ao Plano VIP, tudo certo. Obrigado!";
const FIELD = "txid";

/** Ana keeps a message of Bruno's as a proof of the sale, and the defence of its MED quotes it. */
const checkDefence = async (demo: Demo, alerts: AlertChannel, med: Med): Promise<void> => {
  const { discord } = demo.sandbox;
  const ana = discord.person(ANA.id);
  const written = discord.person(BRUNO.id).write(CHANNELS.geral.id, WORDS);
  const form = await ana.messageCommand(written.id, KEEP);
  if (form.kind !== "modal")
    throw new Error(`"${KEEP}" não abriu o formulário: ${textShown(form)}`);
  const kept = privateMessage(await ana.submitModal(form.modal, { [FIELD]: med.txid }));
  const list = privateMessage(await ana.command({ channelId: CHANNELS.geral.id, name: "provas" }));
  mustHold(textOf(list).includes(med.txid), "/provas não mostra a prova guardada");
  done(`Ana guarda o que Bruno escreveu: ${headline(kept)}; em /provas: ${headline(list)}`);

  const reply = privateMessage(await press(ana, alerts.newest(med), "Preparar defesa"));
  const pdf = fileOf(demo, reply, ".pdf");
  const text = fileOf(demo, reply, ".txt").toString("utf8");
  mustHold(pdf.subarray(0, 5).toString("latin1") === "%PDF-", "a defesa não é um PDF");
  for (const part of [med.infractionId, med.txid, WORDS])
    mustHold(text.includes(part), `o texto da defesa não tem: ${part}`);
  const kilobytes = Math.round(pdf.length / 1_000);
  done(`Com "Preparar defesa" vêm um PDF de ${kilobytes} kB e um texto: ${headline(reply)}`);
};

const fileOf = ({ sandbox }: Demo, { attachments }: StoredMessage, ending: string): Buffer => {
  const found = attachments.find(({ filename }) => filename.endsWith(ending));
  const data = found && sandbox.discord.attachmentData(found.id);
  if (data === undefined) throw new Error(`a defesa não tem um arquivo ${ending}`);
  return data;
};

/** Four MEDs with the same deadline, named by their seller's reaction. */
interface ReminderMeds {
  readonly ignored: Med;
  readonly defended: Med;
  readonly conceded: Med;
  /** Its seller claims to have answered it, but has not. */
  readonly promised: Med;
}

/** Each reminder comes once, even across restarts, and answered MEDs get no reminder. */
const checkReminders = async (
  demo: Demo,
  alerts: AlertChannel,
  meds: ReminderMeds,
): Promise<void> => {
  const { clock, discord, wallet } = demo.sandbox;
  const { ignored, defended, conceded, promised } = meds;
  const before = async (hours: number): Promise<void> => {
    clock.moveTo(ignored.dueAt.subtract({ hours }).add({ minutes: 1 }));
    await settle(demo);
  };
  const all = (...steps: readonly Step[]): void => {
    for (const med of Object.values(meds) as readonly Med[]) alerts.shows(med, ...steps);
  };

  await before(72);
  all("new", "72h");
  await demo.power.restart();
  await before(48);
  all("new", "72h", "48h");
  await demo.power.restart();
  await pass(demo, DISPUTE_CHECK_MS);
  all("new", "72h", "48h");
  done("Faltam 72 e 48 horas, o bot reinicia duas vezes: um lembrete de cada, nenhum repetido");

  wallet.answerMed(ANA.id, defended.infractionId, { status: "disagreed", text: "Entregue." });
  wallet.answerMed(ANA.id, conceded.infractionId, { status: "agreed", text: "Devolvo." });
  await pass(demo, DISPUTE_CHECK_MS);
  alerts.shows(defended, "new", "72h", "48h", "answered");
  alerts.shows(conceded, "new", "72h", "48h", "answered");
  done(`Ana responde dois no painel do serviço: ${headline(alerts.newest(defended))}`);

  const noted = await press(discord.person(ANA.id), alerts.newest(promised), "Já respondi");
  await before(24);
  alerts.shows(promised, "new", "72h", "48h");
  alerts.shows(ignored, "new", "72h", "48h", "24h");
  done(
    `Com "Já respondi no painel" o lembrete de 24 horas não vem: ${headline(privateMessage(noted))}`,
  );

  await before(6);
  alerts.shows(promised, "new", "72h", "48h", "6h");
  alerts.shows(ignored, "new", "72h", "48h", "24h", "6h");
  done("Seis horas antes o serviço ainda espera a resposta, e o bot volta a avisar");

  wallet.answerMed(ANA.id, promised.infractionId, { status: "disagreed", text: "Entregue." });
  await before(1);
  alerts.shows(promised, "new", "72h", "48h", "6h", "answered");
  alerts.shows(ignored, "new", "72h", "48h", "24h", "6h", "1h");
  alerts.shows(defended, "new", "72h", "48h", "answered");
  done(
    `Falta 1 hora, e só o que ninguém respondeu é lembrado: ${headline(alerts.newest(ignored))}`,
  );
};

/** The passed deadline and the decisions of the bank are announced once. */
const checkDecisions = async (
  demo: Demo,
  alerts: AlertChannel,
  { ignored, defended, conceded }: ReminderMeds,
): Promise<void> => {
  const { clock, wallet } = demo.sandbox;
  clock.moveTo(ignored.dueAt.add({ minutes: 1 }));
  await settle(demo);
  alerts.shows(ignored, "new", "72h", "48h", "24h", "6h", "1h", "overdue");
  done(`Ninguém respondeu, e isso é dito: ${headline(alerts.newest(ignored))}`);

  wallet.decideMed(ANA.id, defended.infractionId, "rejected");
  wallet.decideMed(ANA.id, conceded.infractionId, "accepted");
  await pass(demo, DISPUTE_CHECK_MS);
  alerts.shows(defended, "new", "72h", "48h", "answered", "won");
  alerts.shows(conceded, "new", "72h", "48h", "answered", "lost");
  const [won, lost] = [defended, conceded].map((med) => headline(alerts.newest(med)));
  done(`O banco decide dois, com os valores: ${won} / ${lost}`);

  await pass(demo, DISPUTE_CHECK_MS);
  alerts.shows(ignored, "new", "72h", "48h", "24h", "6h", "1h", "overdue");
  alerts.shows(defended, "new", "72h", "48h", "answered", "won");
};

/** A part of each step's title that no other title has. */
const SAYS = {
  new: "Novo MED",
  "72h": "3 dias",
  "48h": "2 dias",
  "24h": "24 horas",
  "6h": "6 horas",
  "1h": "1 hora ",
  overdue: "prazo passou",
  answered: "respondido",
  won: "ganho",
  lost: "perdido",
} as const;

type Step = keyof typeof SAYS;

/** Steps that ping the role by default. */
const PINGS: ReadonlySet<Step> = new Set(["new", "24h", "6h", "1h", "overdue"]);

/** The channel of alerts, compared with the wallet's MEDs. */
interface AlertChannel {
  /** A payer contests another payment to Ana; returns the MED as the wallet has it. */
  readonly open: (amountCents: number, hoursToAnswer: number) => Med;
  /** Alerts of one MED, oldest first. */
  readonly of: (med: Med) => readonly StoredMessage[];
  /** The newest alert of a MED. @throws Error for a MED without alerts */
  readonly newest: (med: Med) => StoredMessage;
  /**
   * Requires exactly these steps of the MED in the channel, in this order and each complete. @throws Error otherwise
   */
  readonly shows: (med: Med, ...steps: readonly Step[]) => void;
}

const createAlertChannel = ({ sandbox: { discord, wallet } }: Demo): AlertChannel => {
  const of: AlertChannel["of"] = ({ infractionId }) =>
    discord.messages(CHANNELS.avisos.id).filter((each) => textOf(each).includes(infractionId));

  return {
    open: (amountCents, hoursToAnswer) => {
      const original = { type: "api", product: "Plano VIP mensal" } as const;
      const id = wallet.openMed(ANA.id, {
        amountCents,
        situationType: "FRAUDE",
        hoursToAnswer,
        original,
      });
      const med = wallet.meds(ANA.id).find(({ infractionId }) => infractionId === id);
      if (med === undefined) throw new Error("o MED aberto não está nos livros");
      return med;
    },
    of,
    newest: (med) => {
      const alert = of(med).at(-1);
      if (alert === undefined) throw new Error("o MED não foi anunciado");
      return alert;
    },
    shows: (med, ...steps) => {
      const alerts = of(med);
      const titles = alerts.map(headline).join(" / ");
      mustHold(
        alerts.length === steps.length &&
          steps.every((step, index) => headlineSays(alerts[index], step)),
        `em vez de ${steps.join(", ")} o canal diz: ${titles}`,
      );
      for (const [index, step] of steps.entries()) mustBeComplete(alerts[index], step, med);
    },
  };
};

const headlineSays = (alert: StoredMessage | undefined, step: Step): boolean =>
  alert !== undefined && `${headline(alert)} `.includes(SAYS[step]);

/** Requires the amount, pings of only the owner and the role, and no words of the payer. */
const mustBeComplete = (alert: StoredMessage | undefined, step: Step, med: Med): void => {
  if (alert === undefined) return;
  const { content, mentionedRoleIds, mentionedUserIds } = alert;
  const text = textOf(alert);
  const pings = PINGS.has(step);
  mustHold(text.includes(reais(med.amountCents)), `o alerta de ${step} não mostra o valor`);
  const called = pings ? `<@${ANA.id}> <@&${ROLES.equipe.id}> ` : `<@${ANA.id}> `;
  mustHold(content.startsWith(called), `${step} avisa assim: ${content}`);
  mustHold(
    content.includes(reais(med.amountCents)),
    `a frase de ${step} não diz o valor: ${content}`,
  );
  mustHold(mentionedRoleIds.length === (pings ? 1 : 0), `${step} avisa o cargo errado`);
  mustHold(
    mentionedUserIds.length === 1 && mentionedUserIds[0] === ANA.id,
    `${step} não avisa a dona, ou avisa mais alguém`,
  );
  mustHold(!text.includes(med.description), `o alerta de ${step} mostra o relato do pagador`);
};

const reais = (cents: number): string => (cents / 100).toFixed(2).replace(".", ",");
