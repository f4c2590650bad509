import { beforeEach, describe, expect, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { SECOND } from "#src/shared/time.ts";
import { createMoneyDriver, has, type MoneyDriver, partWith } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

describe("the transactions", () => {
  let stage: Stage;
  let ana: MoneyDriver;

  const sell = (product: string, reais = 249, owner: string = ANA.id): string =>
    stage.sandbox.wallet.sale({ owner, origin: "api", reais, product });
  const typed = async (options: Readonly<Record<string, string>> = {}): Promise<StoredMessage> =>
    messageOf(await ana.command("transacoes", options));
  const asked = (path = "/v1/transactions"): number =>
    stage.sandbox.wallet.requests.filter((each) => each.path.split("?")[0] === path).length;
  const rowsOf = (message: StoredMessage) => message.embeds[0]?.fields;

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
    ana = createMoneyDriver(stage);
  });

  test("are listed newest first, page by page, and each opens in full, in private", async () => {
    const txid = sell("Plano VIP anual");
    const list = await typed();
    expect(list.privateTo).toBe(ANA.id);
    expect(textOf(list)).toMatch(
      /✅ Aprovada · Venda\n`Plano VIP anual` · Criada em <t:\d+:d> <t:\d+:t>/,
    );
    expect(rowsOf(list)).toHaveLength(10);
    expect(textOf(list)).not.toContain(txid);

    const read = asked();
    const next = messageOf(await ana.press(list, "transacoes:pagina:all.sempre.1"));
    expect(textOf(next)).not.toContain("Plano VIP anual");
    const back = messageOf(await ana.press(next, "transacoes:pagina:all.sempre.0"));
    expect(rowsOf(back)).toEqual(rowsOf(list));
    expect(asked() - read).toBeLessThanOrEqual(1);

    const open = partWith(back, "transacoes:abrir:");
    const detail = messageOf(await ana.person.select(back.id, open, [txid]));
    expect(detail.id).toBe(back.id);
    expect(textOf(detail)).toContain("`Pagador do sandbox` · documento `***.482.917-**`");
    expect(textOf(detail)).toContain("(código `091`)");
    expect(textOf(detail)).toMatch(new RegExp(`txid \`${txid}\``));
    const all = messageOf(await ana.press(detail, "transacoes:lista:"));
    expect(rowsOf(all)).toEqual(rowsOf(list));
  });

  test("lead to the MED about a sale", async () => {
    const txid = sell("Curso");
    expect(has(await typed({ txid }), "meds:ver:")).toBe(false);
    const original = { type: "api", product: "Curso" } as const;
    const id = stage.sandbox.wallet.openMed(ANA.id, {
      amountCents: 24_900,
      situationType: "FRAUDE",
      hoursToAnswer: 48,
      original,
      txid,
    });
    // Beyond the seconds in which readers share an answer.
    stage.sandbox.clock.moveBy(3 * SECOND);
    const detail = await typed({ txid: ` ${txid} ` });
    expect(textOf(messageOf(await ana.press(detail, "meds:ver:")))).toContain(id);
  });

  test("of a withdrawal that failed do not say that it goes on, and lead to its end", async () => {
    const list = await typed({ estado: "withdrawals" });
    expect(textOf(list)).toContain("R$\u00a064,90 · Saque\n❔ Veja o fim em");
    expect(textOf(list)).not.toMatch(/Em processamento|Agendado/);
    const open = partWith(list, "transacoes:abrir:");
    const detail = messageOf(await ana.person.select(list.id, open, ["w8c3a5190e6bf42d7a05d6e91"]));
    const end = textOf(messageOf(await ana.press(detail, "saques:detalhes:")));
    expect(end).toContain("Falhou");
    expect(end).toContain("R$\u00a064,90");
  });

  test("of somebody else, and codes that are none, are not found", async () => {
    const txid = sell("De Bruno", 10, BRUNO.id);
    for (const code of [txid, "a41f00000000"]) {
      const text = textOf(await typed({ txid: code }));
      expect(text).toContain("Não achei essa transação na sua conta");
      expect(text).not.toContain("De Bruno");
    }
    expect(textOf(await typed({ txid: "../balance" }))).toContain("não parece um txid");
    expect(textOf(await typed())).not.toContain("De Bruno");
    const { requests } = stage.sandbox.wallet;
    expect(requests.filter(({ userId }) => userId === BRUNO.id)).toEqual([]);
  });
});
