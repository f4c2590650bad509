import { MINUTE, SECOND } from "../../shared/time.ts";
import type { StoredMessage } from "../discord/state.ts";
import type { Demo } from "../start-demo.ts";
import { ANA, CARLA, CHANNELS } from "../world.ts";
import { pass, settle } from "../pass-time.ts";
import { done, headline, mustHold, press, privateMessage, textShown } from "./story.ts";

const BRASILIA = "America/Sao_Paulo";
const REPORT_TIME = Temporal.PlainTime.from("21:05");
const FIELD = "api_key";
const ACCEPT = "Pode postar";

/** Ana connects her key and reads her sales; Carla chooses the channel, Ana agrees to it; the report comes once. */
export const checkReports = async (demo: Demo): Promise<void> => {
  await connectAna(demo);
  await askForSales(demo);
  await setReport(demo);
  await agreeToReport(demo);
  await waitForReport(demo);
};

const connectAna = async ({ sandbox: { discord } }: Demo): Promise<void> => {
  const ana = discord.person(ANA.id);
  const form = await ana.command({
    channelId: CHANNELS.geral.id,
    name: "conta",
    subcommand: "conectar",
  });
  if (form.kind !== "modal")
    throw new Error(`/conta conectar não abriu o formulário: ${textShown(form)}`);
  done(`Ana digita /conta conectar e vê o formulário "${form.modal.title}"`);
  const connected = privateMessage(await ana.submitModal(form.modal, { [FIELD]: ANA.apiKey }));
  done(`Ana cola a chave: ${headline(connected)}`);
};

const askForSales = async ({ sandbox: { discord } }: Demo): Promise<void> => {
  const answer = await discord
    .person(ANA.id)
    .command({ channelId: CHANNELS.geral.id, name: "vendas", options: { data: "ontem" } });
  const sales = privateMessage(answer);
  mustHold(JSON.stringify(sales.embeds).includes("R$"), "/vendas não mostrou valores");
  done(`Ana digita /vendas e lê, só ela: ${headline(sales)}`);
};

const setReport = async ({ sandbox: { discord } }: Demo): Promise<void> => {
  const answer = await discord.person(CARLA.id).command({
    channelId: CHANNELS.geral.id,
    name: "config",
    subcommand: "relatorio",
    options: { canal: CHANNELS.vendas.id },
  });
  done(`Carla escolhe o canal #${CHANNELS.vendas.name}: ${headline(privateMessage(answer))}`);
};

const agreeToReport = async (demo: Demo): Promise<void> => {
  const { discord } = demo.sandbox;
  const asks = ({ components }: StoredMessage): boolean =>
    JSON.stringify(components).includes(ACCEPT);
  await settle(demo);
  const question = discord.directMessages(ANA.id).find(asks);
  if (question === undefined) throw new Error("ninguém perguntou a Ana se o relatório pode sair");
  const agreed = await press(discord.person(ANA.id), question, ACCEPT);
  done(`Ana é perguntada por mensagem direta e aceita: ${textShown(agreed)}`);
};

const waitForReport = async (demo: Demo): Promise<void> => {
  const { sandbox, power } = demo;
  const reports = () => sandbox.discord.messages(CHANNELS.vendas.id);
  mustHold(reports().length === 0, "o canal já tinha mensagens antes da hora");
  const at = nextReportTime(sandbox.clock.now());
  sandbox.clock.moveTo(at.add({ seconds: 30 }));
  await settle(demo);
  const [report, ...others] = reports();
  if (report === undefined) throw new Error("o relatório não chegou ao canal");
  mustHold(others.length === 0, `chegaram ${others.length + 1} relatórios em vez de um`);
  done(`O relógio vai a ${localTime(at)} e o relatório chega: ${headline(report)}`);
  await pass(demo, 5 * MINUTE);
  mustHold(reports().length === 1, "o relatório chegou de novo cinco minutos depois");
  done("Cinco minutos depois, o canal continua com um relatório só");
  await power.restart();
  await settle(demo);
  await pass(demo, 30 * SECOND);
  mustHold(reports().length === 1, "o relatório chegou de novo depois de reiniciar o bot");
  done("O bot reinicia, e o canal continua com um relatório só");
  await switchBot(demo, false);
  mustHold(!sandbox.discord.visibleTo(ANA.id).botOnline, "o bot derrubado continua conectado");
  await switchBot(demo, true);
  await settle(demo);
  mustHold(reports().length === 1, "o relatório chegou de novo depois da queda do bot");
  await askForSales(demo);
  done("O bot cai (SIGKILL) e volta pela página: a chave de Ana e o relatório único continuam");
};

const switchBot = async ({ page: { url } }: Demo, up: boolean): Promise<void> => {
  const body = JSON.stringify({ what: "bot", up });
  const { ok } = await fetch(`${url}/outage`, { method: "POST", headers: { origin: url }, body });
  mustHold(ok, `o bot não ${up ? "voltou" : "caiu"} pela página`);
};

/** The next 21:05 of Brasília after `now`. */
const nextReportTime = (now: Temporal.Instant): Temporal.Instant => {
  const local = now.toZonedDateTimeISO(BRASILIA);
  const today = local.withPlainTime(REPORT_TIME);
  const passed = Temporal.ZonedDateTime.compare(today, local) <= 0;
  return (passed ? today.add({ days: 1 }) : today).toInstant();
};

const localTime = (at: Temporal.Instant): string =>
  at.toZonedDateTimeISO(BRASILIA).toPlainTime().toString({ smallestUnit: "minute" });
