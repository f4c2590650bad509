import { beforeEach, describe, expect, test } from "vitest";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { serviceOperations } from "#src/help/operations.ts";
import { databases } from "../support/databases.ts";
import { english, portuguese } from "./support/english.ts";
import { ANAS_KEY, createMoneyDriver, type MoneyDriver } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

const MED = "b3c5e0f2-66d1-4a7e-8f19-0d42a7c81e53";
const languages = [
  { locale: "pt-BR", isRight: portuguese },
  { locale: "en-US", isRight: english },
] as const;
const cases = languages.map((each, index) => ({ kind: databases[index], ...each }));

const patternOf = (request: string): RegExp =>
  new RegExp(`^${request.replaceAll(/\{\w+\}|:\w+/g, "[^/?]+")}(\\?.*)?$`);

describe.each(cases)("the service's operations in $locale", (each) => {
  let stage: Stage;
  let ana: MoneyDriver;

  const command = async (typed: string, options: Readonly<Record<string, string>> = {}) => {
    const shown = messageOf(await ana.command(typed, options));
    each.isRight(textOf(shown));
    return shown;
  };
  const confirmed = async (asked: StoredMessage): Promise<StoredMessage> => {
    const done = await ana.confirm(asked);
    each.isRight(textOf(done));
    return done;
  };
  const codeOf = (message: StoredMessage): string =>
    /W-[0-9A-Z]{5}/.exec(textOf(message))?.[0] ?? "";
  const answered = (): readonly string[] =>
    serviceOperations
      .filter(({ request }) =>
        stage.sandbox.wallet.requests.some(
          ({ method, path, status = 0 }) =>
            status >= 200 && status < 300 && patternOf(request).test(`${method} ${path}`),
        ),
      )
      .map(({ request }) => request);

  beforeEach(async () => {
    stage = await openStage(each.kind);
    await stage.connectAna();
    ana = createMoneyDriver(stage);
    ana.person.setLocale(each.locale);
  });

  test("are all reached by commands, and their answers are read in the person's language", async () => {
    const sale = stage.sandbox.wallet.sale({
      owner: ANA.id,
      origin: "api",
      reais: 79.9,
      product: "Plano VIP",
    });
    await command("vendas");
    await command("saldo");
    await command("meds");
    await command("meds", { infracao: MED });
    await command("transacoes");
    await command("transacoes", { txid: sale });
    await ana.command("cobrar", { valor: "79,90", descricao: "Plano VIP" });
    await stage.later(2);
    const refund = await confirmed(await command("estornar", { txid: sale }));
    expect(stage.sandbox.wallet.refunds(ANA.id).map(({ txid }) => txid)).toEqual([sale]);
    await command("saques", { txid: codeOf(refund) });

    const scheduled = await confirmed(await ana.ask({ modalidade: "normal" }));
    const status = await command("saques", { txid: codeOf(scheduled) });
    await confirmed(messageOf(await ana.press(status, "saques:cancelar:")));
    await stage.later(2);
    expect(stage.sandbox.wallet.executed(ANA.id).at(-1)?.status).toBe("cancelled");

    const split = { recebedor: BRUNO.id, chave: ANAS_KEY, modalidade: "turbo" };
    await confirmed(await command("split-saque", split));
    await stage.later(2);

    expect(answered()).toEqual(serviceOperations.map(({ request }) => request));
    for (const message of ana.directMessages()) each.isRight(textOf(message));
  });
});
