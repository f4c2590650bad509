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
} from "./demo-steps.ts";
import { pass, passToEvening } from "./pass-time.ts";
import type { Demo } from "./start-demo.ts";
import { ANA, BRUNO, CHANNELS } from "./world.ts";

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
