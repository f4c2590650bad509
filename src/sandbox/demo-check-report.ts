import { MINUTE } from "../shared/time.ts";
import {
  ask,
  centsOf,
  done,
  hasPicture,
  headline,
  mustHold,
  press,
  privateMessage,
  textOf,
  restartBot,
} from "./demo-steps.ts";
import { pass, passToEvening, settle } from "./pass-time.ts";
import type { Demo } from "./start-demo.ts";
import { ANA, BRUNO, CHANNELS } from "./world.ts";
import type { StoredMessage } from "./discord/state.ts";

/** The next evening's report tells both sellers in one post, with the picture; each reads the own day in private. */
export const checkDailyReport = async (demo: Demo): Promise<void> => {
  const { discord, wallet } = demo.sandbox;
  const form = await ask(demo, BRUNO.id, "conta conectar");
  mustHold(form.kind === "modal", "/conta conectar de Bruno não abriu");
  if (form.kind !== "modal") return;
  const person = discord.person(BRUNO.id);
  const connected = await person.submitModal(form.modal, { api_key: BRUNO.apiKey });
  await press(demo, privateMessage(connected), "Pode postar", BRUNO.id);
  // Reads the days that the report compares with.
  await ask(demo, BRUNO.id, "vendas", { periodo: "7 dias" });
  await pass(demo, 5 * MINUTE);
  wallet.sale({ owner: ANA.id, origin: "api", reais: 249, product: "Plano VIP mensal" });
  const reports = () =>
    discord.messages(CHANNELS.vendas.id).filter((each) => textOf(each).includes("Fechamento"));
  const before = reports().length;
  await passToEvening(demo);
  await pass(demo, 5 * MINUTE);
  const [report, ...more] = reports().slice(before);
  if (report === undefined) throw new Error("o relatório da loja não saiu");
  mustHold(more.length === 0, `saíram ${more.length + 1} relatórios de um dia`);
  const text = textOf(report);
  mustHold(
    [ANA, BRUNO].every(({ id }) => text.includes(id)),
    `o relatório diz: ${text}`,
  );
  mustHold(/(?:[▲▼]\s[\d.]+|=\s0)% que/.test(text), `o relatório não compara: ${text}`);
  mustHold(hasPicture(demo, report), "o relatório veio sem a figura");
  const own = privateMessage(await press(demo, report, "Ver o meu", BRUNO.id));
  mustHold(/Vendas de[^]*disponível/.test(textOf(own)), `Ver o meu diz: ${textOf(own)}`);
  done(
    `Um relatório por noite para a loja toda: ${headline(report)}; Bruno abre o dele: ${headline(own)}`,
  );
};

export const REFUNDED_REAIS = 120;

/** Of all reports one, not the last, tells the old and the new figure of the day whose sale was refunded after its report. */
export const checkCorrection = ({ sandbox: { discord } }: Demo): void => {
  const reports = discord
    .messages(CHANNELS.vendas.id)
    .map(textOf)
    .filter((text) => /Fechamento de \S+, \d/.test(text));
  const told = reports.flatMap((text) => text.match(/^.* (?:caiu|subiu) de .*$/gm) ?? []);
  const [line = ""] = told;
  const amounts = [...line.matchAll(/R\$\s([\d.,]+)/g)].map(([, amount]) => centsOf(amount));
  const isRight = amounts[0] === Number(amounts[1]) + REFUNDED_REAIS * 100;
  mustHold(told.length === 1 && isRight, `as correções são: ${told.join(" / ")}`);
  mustHold(reports.at(-1)?.includes(line) === false, "nenhum relatório veio depois da correção");
  done(
    `Uma venda já contada é estornada, e um só de ${reports.length} relatórios corrige: ${line}`,
  );
};

const AMOUNT = /\*\*R\$\s([\d.,]+)\*\* em/;

/** The accountant's file that a button gives: three formats, and its rows add up to the sum that Ana was shown. */
const checkFiles = async (
  demo: Demo,
  { under, label, shown }: { under: StoredMessage; label: string; shown: StoredMessage },
  length: number,
): Promise<string> => {
  const { discord } = demo.sandbox;
  const files = privateMessage(await press(demo, under, label));
  const names = files.attachments.map(({ filename }) => filename.replace(/^.*\./, ""));
  mustHold(names.join() === "xlsx,csv,pdf", `os arquivos são ${names.join()}`);
  const csv = discord.attachmentData(files.attachments[1]?.id ?? "")?.toString() ?? "";
  const days = csv.split("\r\n").filter((row) => row.startsWith("dia;"));
  const sum = days.reduce((total, row) => total + centsOf(row.split(";")[4]), 0);
  const [, asked] = AMOUNT.exec(textOf(shown)) ?? [];
  const [, told] = AMOUNT.exec(textOf(files)) ?? [];
  mustHold(days.length === length, `o arquivo tem ${days.length} dias, não ${length}`);
  mustHold(
    sum > 0 && sum === centsOf(asked) && asked === told,
    `o arquivo soma ${sum}, e não ${asked}`,
  );
  return `${headline(files)} / R$ ${told}`;
};

export const checkAccountingFile = async (demo: Demo): Promise<void> => {
  const shown = privateMessage(await ask(demo, ANA.id, "vendas", { periodo: "7 dias" }));
  const told = await checkFiles(demo, { under: shown, label: "Arquivo", shown }, 7);
  done(`Em Arquivo, XLSX, CSV e PDF com a mesma soma: ${told}`);
};

/** In each the background reads five days; a close waits half an hour for days that it is compared with. */
const MOST_WAITS = 12;
const WAIT_MS = 4 * MINUTE;

/** The weekly close on Monday and the monthly one on the 1st, each once, though the bot is killed after each. */
export const checkCloses = async (demo: Demo): Promise<void> => {
  const { clock, discord } = demo.sandbox;
  const closes = (): readonly StoredMessage[] =>
    discord
      .messages(CHANNELS.vendas.id)
      .filter((message) => headline(message).startsWith("Fechamento d"));
  const once = async (
    name: RegExp,
    before: ReadonlySet<string> = new Set(),
  ): Promise<StoredMessage> => {
    const named = () =>
      closes().filter((each) => name.test(headline(each)) && !before.has(each.id));
    for (let waits = 0; named().length === 0 && waits < MOST_WAITS; waits++)
      await pass(demo, WAIT_MS);
    await restartBot(demo);
    await settle(demo);
    await pass(demo, 5 * MINUTE);
    const [close, ...more] = named();
    if (close === undefined) throw new Error(`o fechamento não veio: ${name.source}`);
    mustHold(more.length === 0, `o fechamento veio ${more.length + 1} vezes: ${headline(close)}`);
    return close;
  };

  const filesUnder = async (close: StoredMessage, days: number): Promise<string> => {
    mustHold(hasPicture(demo, close), `o fechamento veio sem a figura: ${headline(close)}`);
    const shown = privateMessage(await press(demo, close, "Ver o meu"));
    return await checkFiles(demo, { under: close, label: "Planilha", shown }, days);
  };

  const today = clock.now().toZonedDateTimeISO("America/Sao_Paulo").toPlainDate();
  const monday = today.add({ days: 8 - today.dayOfWeek });
  await passToEvening(demo, monday);
  const week = await once(weekUntil(monday.subtract({ days: 1 })));
  mustHold(/^Semana de .*: R\$/.test(week.content), `o fechamento diz: ${week.content}`);
  done(`Na segunda, a semana fecha uma vez só: ${week.content} / ${await filesUnder(week, 7)}`);

  const first = monday.add({ months: 1 }).with({ day: 1 });
  const before = new Set(closes().map(({ id }) => id));
  await passToEvening(demo, first);
  const month = await once(/^Fechamento de .* de \d{4}$/, before);
  mustHold(/^Mês de .*: R\$/.test(month.content), `o fechamento diz: ${month.content}`);
  const days = first.subtract({ days: 1 }).day;
  const files = await filesUnder(month, days);
  done(`No dia 1º, o mês também, e a queda do bot não o repete: ${month.content} / ${files}`);
};

const weekUntil = (sunday: Temporal.PlainDate): RegExp => {
  const two = (value: number): string => String(value).padStart(2, "0");
  return new RegExp(`^Fechamento da semana, .* a ${two(sunday.day)}/${two(sunday.month)}$`);
};

/** Ana sets a goal, sells, reads how much is left, and finds it beside the sales of the month. */
export const checkGoal = async (demo: Demo): Promise<void> => {
  const { wallet, clock } = demo.sandbox;
  const line = (text: string): string =>
    text.split("\n").find((each) => each.includes(" de R$")) ?? "";
  const set = privateMessage(await ask(demo, ANA.id, "meta", { valor: "40.000" }));
  mustHold(textOf(set).includes("40.000"), `/meta diz: ${headline(set)}`);
  wallet.sale({ owner: ANA.id, origin: "api", reais: 1_000, product: "Plano VIP mensal" });
  // Answers are shared for two seconds.
  clock.moveBy(3_000);
  const after = privateMessage(await press(demo, set, "Atualizar"));
  mustHold(line(textOf(after)) !== line(textOf(set)), "a venda não chegou à meta");
  const month = privateMessage(await ask(demo, ANA.id, "vendas", { periodo: "este mês" }));
  mustHold(textOf(month).includes("Meta: "), "/vendas do mês não mostra a meta");
  done(
    `Ana define uma meta com /meta, e vê quanto falta: ${line(textOf(after)).replaceAll("*", "")}`,
  );
};
