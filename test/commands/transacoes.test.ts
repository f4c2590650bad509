import { describe, expect, test } from "vitest";
import type { Services } from "#src/services.ts";
import type { TransactionsService } from "#src/transactions/transactions.service.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleCharge } from "../charges/charge-samples.ts";
import { ANA as OWNER, connectRequest, GUILD as SHOP, openGuild } from "../support/guild.ts";
import { NOW } from "../support/samples.ts";
import { samplePayment, sampleRow, TXID } from "../transactions/transaction-samples.ts";
import { titleOf } from "../ui/read-message.ts";
import { INVOCATION, openCommands, routeOf } from "./command-stage.ts";

const ALL = { filter: "all", period: undefined, page: 0 };

/** Ana's transactions before services that remember what they were asked. */
const openTransactionCommands = () =>
  openCommands((noting) => {
    const transactions: TransactionsService = {
      list: noting("list", async (_, wanted) => ({
        ...wanted,
        rows: [sampleRow()],
        pages: 1,
        found: 1,
        more: false,
        furtherPage: undefined,
        unnamed: 0,
        undated: 0,
        problem: undefined,
        supportCodes: [],
        readAt: NOW,
      })),
      detail: noting("detail", async (_, txid) => ({
        transaction: samplePayment({ txid }),
        dispute: undefined,
        readAt: NOW,
      })),
      brasiliaDay: () => Promise.reject(new Error("no day was asked for")),
      suggest: noting("suggest", async () => [sampleRow()]),
      products: async () => new Map(),
      choose: (_, txid) => void chosen.push(txid),
      chosen: () => undefined,
    };
    const withdrawals = { refundEnabled: true } as Services["withdrawals"];
    return { transactions, withdrawals };
  });
const chosen: string[] = [];

describe("/transacoes", () => {
  test.each([
    [{}, ALL],
    [{ txid: "  " }, ALL],
    [{ estado: "approved" }, { ...ALL, filter: "approved" }],
    [{ estado: "anything" }, ALL],
  ] as const)("typed with %j lists %j, read anew", async (typed, wanted) => {
    const { type, asked } = openTransactionCommands();
    expect(titleOf(await type("transacoes", { string: typed }))).toBe("Transações");
    expect(asked).toEqual([["list", INVOCATION, wanted, false]]);
  });

  test("with a period asks for its days", async () => {
    const { type, asked } = openTransactionCommands();
    await type("transacoes", { string: { periodo: "01/11 a 15/11" } });
    const [from, to] = ["2026-11-01", "2026-11-15"].map((day) => Temporal.PlainDate.from(day));
    expect(asked[0]?.[2]).toEqual({ ...ALL, period: { kind: "days", from, to } });
    expect(await mistakeIn(type("transacoes", { string: { periodo: "um dia" } }))).toBe(
      "invalid_period",
    );
    expect(asked).toHaveLength(1);
  });

  test("with a day that begins at midnight in Brasília is refused after 21:00, when its report day is open", async () => {
    const { type, suggest, asked } = openTransactionCommands();
    const createdAt = Temporal.Instant.from("2026-11-20T21:13:00-03:00");
    const atNight = { ...INVOCATION, createdAt };
    const typed = (periodo: string) => type("transacoes", { string: { periodo } }, atNight);
    expect(await mistakeIn(typed("21/11"))).toBe("future_date");
    expect(await suggest("transacoes", "periodo", "21/11", atNight)).toEqual([]);
    expect(await suggest("transacoes", "periodo", "20/11", atNight)).toHaveLength(1);
    expect(await suggest("transacoes", "periodo", "", atNight)).toHaveLength(12);
    await typed("20/11");
    expect(asked).toHaveLength(1);
  });

  test("with a code, typed by hand or chosen, shows that one", async () => {
    const { type, asked } = openTransactionCommands();
    const shown = await type("transacoes", { string: { txid: ` ${TXID} `, estado: "pending" } });
    expect(titleOf(shown)).toBe("Venda · ✅ Aprovada");
    expect(asked).toEqual([["detail", INVOCATION, TXID]]);
  });

  test("suggests transactions by their product, and periods in the person's language", async () => {
    const { suggest, asked } = openTransactionCommands();
    const [sale] = await suggest("transacoes", "txid", "vip");
    expect(sale).toMatchObject({ name: expect.stringContaining("Plano VIP mensal"), value: TXID });
    expect(asked).toEqual([["suggest", INVOCATION, "vip", "all"]]);
    const periods = await suggest("transacoes", "periodo", "DIAS");
    expect(periods.map(({ value }) => value)).toEqual(["7 dias", "30 dias"]);
    expect(await suggest("transacoes", "periodo", "01/11 a")).toEqual([]);
  });
});

describe("the menus and buttons of /transacoes", () => {
  test("narrow the list, read anew, turn its pages as they were read, and open one", async () => {
    const { act, asked } = openTransactionCommands();
    const from = Temporal.PlainDate.from("2026-11-01");
    const period = { kind: "days", from, to: from.add({ days: 14 }) };
    await act("transacoes:filtro:sempre", { values: ["refunded"] });
    await act("transacoes:pagina:approved.2026-11-01/2026-11-15.3");
    await act("transacoes:lista:");
    await act("transacoes:abrir:", { values: [TXID] });
    expect(asked).toEqual([
      ["list", INVOCATION, { ...ALL, filter: "refunded" }, false],
      ["list", INVOCATION, { filter: "approved", period, page: 3 }, true],
      ["list", INVOCATION, ALL, false],
      ["detail", INVOCATION, TXID],
    ]);
  });

  test("note the sale of the next proof, and say how to keep it", async () => {
    const { act } = openTransactionCommands();
    const told = await act(`transacoes:prova:${TXID}`);
    expect(chosen).toEqual([TXID]);
    expect(JSON.stringify(told)).toContain("Guardar como prova");
    expect(routeOf(`transacoes:prova:${TXID}`).mode).toBe("new");
  });

  test("edit the message on which they stand", () => {
    for (const name of ["lista", "filtro", "pagina", "abrir"])
      expect(routeOf(`transacoes:${name}:`).mode).toBe("update");
  });

  test.each([
    ["transacoes:filtro:sempre", []],
    ["transacoes:filtro:sempre", ["everything"]],
    ["transacoes:filtro:nunca", ["all"]],
    ["transacoes:pagina:", []],
    ["transacoes:pagina:all.sempre.", []],
    ["transacoes:pagina:all.sempre.-1", []],
    ["transacoes:pagina:every.sempre.1", []],
    ["transacoes:pagina:all.2026-13-40/2026-13-41.1", []],
    ["transacoes:abrir:", []],
    ["transacoes:abrir:", ["../balance"]],
    ["transacoes:prova:", []],
    ["transacoes:prova:a b", []],
  ])("that were edited (%s %j) ask nobody", async (customId, values) => {
    const { act, asked } = openTransactionCommands();
    expect(await mistakeIn(act(customId, { values }))).toBe("outdated_component");
    expect(asked).toEqual([]);
  });
});

test("a charge that was told as expired is not pending, in the list and in full, while the service goes on to call it so", async () => {
  const { services, stores, wallet } = await openGuild();
  const { id } = await services.accounts.connect(connectRequest());
  const charge = sampleCharge({ accountId: id, ownerId: OWNER, guildId: SHOP, state: "expired" });
  await stores.charges.begin(charge, "i1");
  const expired = charge.txid?.toUpperCase() ?? "";
  const items = [expired, TXID].map((txid) => sampleRow({ txid, status: "pending" }));
  wallet.transactions = async () => ({ items, unnamed: 0, next: undefined });
  wallet.transaction = async (_, txid) => samplePayment({ txid, status: "pending" });
  const asker = { guildId: SHOP, userId: OWNER, locale: "pt-BR" } as const;
  for (const [filter, txid] of [
    ["pending", TXID],
    ["other", expired],
  ] as const) {
    const { rows } = await services.transactions.list(asker, { ...ALL, filter });
    expect(rows.map((row) => row.txid)).toEqual([txid]);
  }
  const { transaction } = await services.transactions.detail(asker, expired);
  expect(transaction.status).toBe("expired");
});
