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

  /** All that the wallet service gives of a path, told apart from the project's own reading of it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of the service
  const walletAnswer = async (path: string): Promise<any> => {
    const headers = { authorization: `Bearer ${ANA.apiKey}` };
    const response = await fetch(`${stage.sandbox.wallet.baseUrl}${path}`, { headers });
    return await response.json();
  };
  const listedSales = async (): Promise<readonly { amount: number; at: string }[]> => {
    const sales = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { transactions, pagination } = await walletAnswer(`/v1/transactions?page=${page}`);
      pages = pagination.totalPages;
      for (const { type, status, amount, updatedAt } of transactions)
        if (type === "payment" && status === "approved") sales.push({ amount, at: updatedAt });
    }
    return sales;
  };
  const soldWithin = (
    sales: readonly { amount: number; at: string }[],
    from: string,
    to: string,
  ) => {
    const within = sales.filter(({ at }) => at >= from && at < to);
    const amount = within.reduce((sum, each) => sum + Math.round(each.amount * 100), 0);
    return { count: within.length, amount };
  };

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

  test("turns its pages in the same message, with another picture, also after a restart", async () => {
    const week = await vendas("7 dias");
    await stage.restart();
    const before = await press(week, /^◀/);
    expect(before.id).toBe(week.id);
    expect(textOf(before)).toContain("Vendas de 04/11 a 10/11");
    expect(before.attachments).toHaveLength(1);
    expect(pictureOf(before)).not.toEqual(pictureOf(week));
    const month = await press(before, /^Mês/);
    expect(textOf(month)).toContain("Vendas de novembro de 2026");
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

  test("gives days of Brasília that are the direct sums of a list whose UTC days are the reports'", async () => {
    stage.sandbox.wallet.settings.transactionPageSize = 7;
    const late = { owner: ANA.id, origin: "api", reais: 1_234.56 } as const;
    // 23:30 of 15/11 in Brasília.
    stage.sandbox.wallet.sale({ ...late, at: Temporal.Instant.from("2026-11-16T02:30:00Z") });
    const sales = await listedSales();
    let others = 0;
    for (const date of ["2026-11-13", "2026-11-14", "2026-11-15", "2026-11-16"]) {
      const day = Temporal.PlainDate.from(date);
      const after = day.add({ days: 1 }).toString();
      const [, month, dayOfMonth] = date.split("-");
      const typed = `${dayOfMonth}/${month}/2026`;
      const { breakdown } = await walletAnswer(
        `/v1/sales/report?date=${encodeURIComponent(typed)}`,
      );
      const utc = soldWithin(sales, date, after);
      expect(breakdown.api.count).toBe(utc.count);
      expect(Math.round(breakdown.api.totalSales * 100)).toBe(utc.amount);

      const report = await vendas(typed);
      const shown = await press(report, /^Dia de Brasília/);
      expect(shown.id).toBe(report.id);
      const direct = soldWithin(sales, `${date}T03`, `${after}T03`);
      const text = textOf(shown);
      expect(text).toMatch(/^Vendas de .*, dia de Brasília\n/);
      if (direct.count === 0) expect(text).toContain("Nenhuma venda aprovada.");
      else {
        expect(text).toContain(`em ${direct.count} venda`);
        expect(centsOfText(/\*\*R\$\s([\d.,]+)\*\* em/.exec(text)?.[1])).toBe(direct.amount);
      }
      expect(text).toMatch(/das 00:00 às 24:00 \(Brasília\).*o relatório fecha às 21:00/);
      const back = textOf(await press(shown, /^Dia do relatório/));
      expect(back.split("\n").slice(0, 2)).toEqual(textOf(report).split("\n").slice(0, 2));
      if (direct.amount !== utc.amount) others += 1;
    }
    expect(others).toBeGreaterThanOrEqual(2);
  });

  test("keeps the report's day, with one sentence beside it, where the list proves no other", async () => {
    const { wallet, faults } = stage.sandbox;
    const report = await vendas("ontem");
    const refused = async (why: string): Promise<void> => {
      const answer = await press(report, /^Dia de Brasília/);
      expect(answer.id).not.toBe(report.id);
      expect(answer.privateTo).toBe(ANA.id);
      expect(textOf(answer)).toContain(why);
      expect(textOf(report)).toContain("(Brasília) · estornos posteriores descontam");
      // The client shares an answer for two seconds.
      stage.sandbox.clock.moveBy(5_000);
    };
    wallet.settings.transactionListShape = "unreadable";
    await refused("Não consegui ler a lista de transações");
    wallet.settings.transactionListShape = "transactions";
    for (const status of [403, 404]) {
      faults.failNext("GET /v1/transactions", { kind: "html", status, at: "before" }, 1);
      await refused("Não consegui ler a lista de transações");
    }
    wallet.settings.transactionPageSize = 1;
    wallet.sales({ owner: ANA.id, origin: "api", reais: 10 }, 10);
    await refused("A lista de transações não chega até esse dia");
    const pages = wallet.requests.filter(({ path }) => path.startsWith("/v1/transactions"));
    expect(pages).toHaveLength(1 + 2 + 6);
    // An answer at the root names no further page.
    wallet.settings.transactionListShape = "root";
    await refused("A lista de transações não bate com o relatório");
  });

  test("is in English for who reads English, picture and suggestions too", async () => {
    ana().setLocale("en-US");
    const week = await vendas("7 days");
    english(textOf(week));
    english(week.attachments[0]?.description ?? "");
    expect(textOf(week)).toMatch(/^Sales: Nov 11 to Nov 17\n/);
    const suggested = await ana().autocomplete({
      channelId: CHANNELS.geral.id,
      name: "vendas",
      focused: "periodo",
      options: { periodo: "last" },
    });
    expect(suggested.map(({ name }) => name)).toEqual(["last month · Oct 1 to Oct 31"]);
    const days = await ana().autocomplete({
      channelId: CHANNELS.geral.id,
      name: "vendas",
      focused: "data",
      options: { data: "mon" },
    });
    expect(days).toEqual([{ name: "Mon Nov 16", value: "16/11/2026" }]);
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
