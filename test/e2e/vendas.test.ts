import { beforeEach, describe, expect, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import {
  centsOfCell,
  centsOfText,
  pageLines,
  readCsv,
  readWorkbook,
} from "../accounting-files/read-files.ts";
import { english } from "./support/english.ts";
import { buttonOf, messageOf, openStage, type Stage, textOf, type } from "./support/stage.ts";

describe("/vendas periodo", () => {
  let stage: Stage;
  const ana = () => stage.sandbox.discord.person(ANA.id);
  const vendas = async (periodo: string, channelId?: string): Promise<StoredMessage> =>
    messageOf(await type(ana(), "vendas", { periodo }, channelId));
  const press = async (message: StoredMessage, label: RegExp): Promise<StoredMessage> =>
    messageOf(await ana().click(message.id, buttonOf(message, label)));
  const pictureOf = ({ attachments }: StoredMessage): Buffer =>
    stage.sandbox.discord.attachmentData(attachments[0]?.id ?? "") ?? Buffer.alloc(0);
  const reportsRead = () =>
    stage.sandbox.wallet.requests.filter(({ path }) => path.startsWith("/v1/sales/report")).length;

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
  });

  test("keeps no figures after the key is disconnected, and shows none to others", async () => {
    await vendas("7 dias");
    const bruno = stage.sandbox.discord.person(BRUNO.id);
    const other = messageOf(await type(bruno, "vendas", { periodo: "7 dias" }));
    expect(textOf(other)).not.toContain("R$");
    const question = messageOf(await type(ana(), "conta desconectar"));
    await press(question, /^Apagar/);
    await stage.connectAna();
    const before = reportsRead();
    await vendas("7 dias");
    expect(reportsRead() - before).toBe(10);
  });

  test("gives its files to their owner alone, whose sums are those of the answer, also after a restart", async () => {
    const month = await vendas("10/11 a 16/11");
    await stage.restart();
    const shown = await press(month, /^Arquivo/);
    expect(shown.privateTo).toBe(ANA.id);
    expect(shown.id).not.toBe(month.id);
    const name = `vendas-2026-11-10-a-2026-11-16-${ANA.apiKey.slice(-4)}`;
    const names = ["xlsx", "csv", "pdf"].map((ending) => `${name}.${ending}`);
    expect(shown.attachments.map(({ filename }) => filename)).toEqual(names);
    const data = ({ attachments }: StoredMessage, place: number): Buffer =>
      stage.sandbox.discord.attachmentData(attachments[place]?.id ?? "") ?? Buffer.alloc(0);
    const total = /\*\*R\$\s([\d.,]+)\*\* em/.exec(textOf(month))?.[1];
    expect(textOf(shown)).toContain(`**R$\u{a0}${total}** em`);
    const rows = readCsv(data(shown, 1));
    const sales = rows.filter(([kind]) => kind === "dia").map((row) => centsOfText(row[4]) ?? 0);
    expect(sales).toHaveLength(7);
    const sum = sales.reduce((one, other) => one + other, 0);
    expect(sum).toBe(centsOfText(total));
    const [days] = await readWorkbook(data(shown, 0));
    expect(centsOfCell(days?.rows.at(-1)?.[3])).toBe(sum);
    expect(pageLines(data(shown, 2))).toContain(`R$ ${total}`);

    ana().setLocale("en-US");
    const inEnglish = await press(month, /^Arquivo/);
    english(textOf(inEnglish));
    english(data(inEnglish, 1).toString());

    const bruno = stage.sandbox.discord.person(BRUNO.id);
    const other = await bruno.click(month.id, buttonOf(month, /^Arquivo/));
    expect(JSON.stringify(other)).not.toContain(total);
  });

  test("shows a week with its picture in the server and in the direct message, for Ana alone", async () => {
    for (const channelId of [CHANNELS.geral.id, ana().openDirectMessages()]) {
      const week = await vendas("7 dias", channelId);
      expect(textOf(week)).toMatch(/^Vendas de 11\/11 a 17\/11\n\*\*R\$/);
      expect(week.privateTo).toBe(ANA.id);
      expect(pictureOf(week).subarray(1, 4).toString()).toBe("PNG");
      expect(week.attachments[0]?.description).toMatch(
        /^Vendas por dia, 11\/11 a 17\/11\. 11\/11: R\$/,
      );
      expect(week.embeds[0]?.image?.url).toBe(week.attachments[0]?.url);
    }
  });

  test("gives a day of Brasília in the direct message, after a restart and in English too", async () => {
    const report = await vendas("ontem", ana().openDirectMessages());
    await stage.restart();
    const shown = await press(report, /^Dia de Brasília/);
    expect(textOf(shown)).toContain("16/11, dia de Brasília");
    ana().setLocale("en-US");
    const back = await press(shown, /^Dia do relatório/);
    english(textOf(back));
    const again = textOf(await press(back, /^Brasília's day/));
    expect(again).toContain("Nov 16, Brasília's day\n**Sales by API alone:**");
    english(again);
  });

  test("names what is missing of a month, and the background reads it, each day once", async () => {
    const first = await vendas("30 dias");
    expect(textOf(first)).toContain("faltam 20 dias de 30");
    for (let minute = 1; minute <= 20; minute += 1) await stage.later(1);
    const before = reportsRead();
    await stage.later(1);
    expect(reportsRead()).toBe(before);
    const whole = await press(first, /^Atualizar/);
    expect(textOf(whole)).not.toContain("Parcial");
    expect(textOf(whole)).toMatch(/[▲▼=]\u00a0[\d.]+% que nos mesmos dias do período anterior/);
    // Only the open day is read again.
    expect(reportsRead()).toBe(before + 1);
  });

  test("shows a closed day's corrected figures once the background has read it again", async () => {
    // Longer than the periods whose days each request reads again.
    const period = "06/11 a 16/11";
    for (let times = 0; times < 3; times += 1) await vendas(period);
    const before = textOf(await vendas(period));
    stage.sandbox.wallet.sale({
      owner: ANA.id,
      origin: "api",
      reais: 1_000,
      at: Temporal.Instant.from("2026-11-16T15:00:00Z"),
    });
    await stage.moveTo("2026-11-18T01:00:30Z");
    for (let minute = 1; minute <= 15; minute += 1) await stage.later(1);
    const read = reportsRead();
    expect(textOf(await vendas(period))).not.toBe(before);
    expect(reportsRead()).toBe(read);
  });
});
