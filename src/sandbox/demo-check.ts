import { ComponentType } from "discord-api-types/v10";
import { MINUTE, SECOND } from "../shared/duration.ts";
import type { Person, Shown, StoredMessage } from "./discord/local-discord.ts";
import { startDemo, type Demo } from "./start-demo.ts";
import { ANA, CARLA, CHANNELS } from "./world.ts";

const TIME_LIMIT_MS = MINUTE;
const BRASILIA = "America/Sao_Paulo";
const REPORT_TIME = Temporal.PlainTime.from("21:05");
const FIELD = "api_key";
const ACCEPT = "Pode postar";

/**
 * Does once, without anybody at the keyboard, what the demo is for, and prints each step.
 * @returns the exit code: 0 when all of it held.
 */
export const checkDemo = async (): Promise<number> => {
  let demo: Demo | undefined;
  const timer = setTimeout(() => {
    console.error("✗ Passou de um minuto");
    // The bot ends with its parent.
    process.exit(1);
  }, TIME_LIMIT_MS);
  try {
    demo = await startDemo(0);
    done("Discord local, carteira local e bot no ar");
    await pageAnswers(demo);
    await connectAna(demo);
    await askForSales(demo);
    await setReport(demo);
    await waitForReport(demo);
    await demo.stop();
    done("Tudo encerrado, nada ficou para trás");
    return 0;
  } catch (error) {
    console.error(`✗ ${error instanceof Error ? error.message : String(error)}`);
    await demo?.stop();
    return 1;
  } finally {
    clearTimeout(timer);
  }
};

const pageAnswers = async ({ page }: Demo): Promise<void> => {
  const { status } = await fetch(page.url);
  mustHold(status === 200, `a página respondeu ${status}`);
  done(`A página responde em ${page.url}`);
};

const connectAna = async ({ sandbox: { discord } }: Demo): Promise<void> => {
  const ana = discord.person(ANA.id);
  const form = await ana.command({
    channelId: CHANNELS.geral.id,
    name: "conta",
    subcommand: "conectar",
  });
  if (form.kind !== "modal")
    throw new Error(`/conta conectar não abriu o formulário: ${told(form)}`);
  done(`Ana digita /conta conectar e vê o formulário "${form.modal.title}"`);
  const connected = privateMessage(await ana.submitModal(form.modal, { [FIELD]: ANA.apiKey }));
  done(`Ana cola a chave: ${headline(connected)}`);
  const agreed = privateMessage(await press(ana, connected, ACCEPT));
  done(`Ana aceita o relatório diário: ${headline(agreed)}`);
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

const waitForReport = async ({ sandbox, bot, restartBot }: Demo): Promise<void> => {
  const reports = () => sandbox.discord.messages(CHANNELS.vendas.id);
  mustHold(reports().length === 0, "o canal já tinha mensagens antes da hora");
  const at = nextReportTime(sandbox.clock.now());
  sandbox.clock.moveTo(at.add({ seconds: 30 }));
  await bot().tick();
  const [report, ...others] = reports();
  if (report === undefined) throw new Error("o relatório não chegou ao canal");
  mustHold(others.length === 0, `chegaram ${others.length + 1} relatórios em vez de um`);
  done(`O relógio vai a ${localTime(at)} e o relatório chega: ${headline(report)}`);
  sandbox.clock.moveBy(5 * MINUTE);
  await bot().tick();
  mustHold(reports().length === 1, "o relatório chegou de novo cinco minutos depois");
  done("Cinco minutos depois, o canal continua com um relatório só");
  await restartBot();
  await bot().tick();
  sandbox.clock.moveBy(30 * SECOND);
  await bot().tick();
  mustHold(reports().length === 1, "o relatório chegou de novo depois de reiniciar o bot");
  done("O bot reinicia, e o canal continua com um relatório só");
};

/** The next 21:05 of Brasília, whatever the hour is now. */
const nextReportTime = (now: Temporal.Instant): Temporal.Instant => {
  const local = now.toZonedDateTimeISO(BRASILIA);
  const today = local.withPlainTime(REPORT_TIME);
  const passed = Temporal.ZonedDateTime.compare(today, local) <= 0;
  return (passed ? today.add({ days: 1 }) : today).toInstant();
};

const localTime = (at: Temporal.Instant): string =>
  at.toZonedDateTimeISO(BRASILIA).toPlainTime().toString({ smallestUnit: "minute" });

const press = (person: Person, message: StoredMessage, label: string): Promise<Shown> => {
  for (const row of message.components) {
    if (row.type !== ComponentType.ActionRow) continue;
    for (const part of row.components)
      if ("label" in part && part.label === label && "custom_id" in part)
        return person.click(message.id, part.custom_id);
  }
  throw new Error(`nenhum botão "${label}" em: ${headline(message)}`);
};

const privateMessage = (shown: Shown): StoredMessage => {
  if (shown.kind !== "message") throw new Error(`a resposta não veio: ${told(shown)}`);
  mustHold(shown.private, "a resposta não foi privada");
  return shown.message;
};

const headline = ({ content, embeds }: StoredMessage): string =>
  (embeds[0]?.title ?? embeds[0]?.description ?? content).split("\n")[0] ?? "";

const told = (shown: Shown): string => {
  if (shown.kind === "failed") return shown.detail ?? shown.reason;
  return shown.kind === "modal" ? shown.modal.title : headline(shown.message);
};

const done = (step: string): void => console.log(`✓ ${step}`);

const mustHold = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};
