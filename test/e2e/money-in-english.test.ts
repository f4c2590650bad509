import { beforeEach, expect, test } from "vitest";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { english } from "./support/english.ts";
import { ANAS_KEY, createMoneyDriver, has, type MoneyDriver } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf, type } from "./support/stage.ts";

let stage: Stage;
let moneyDriver: MoneyDriver;

beforeEach(async () => {
  stage = await openStage();
  await stage.connectAna();
  moneyDriver = createMoneyDriver(stage);
  moneyDriver.person.setLocale("en-US");
});

test("a withdrawal reads in English from the question to its end", async () => {
  const asked = await moneyDriver.ask({ valor: "1.234,56", modalidade: "turbo" });
  english(textOf(asked));
  const sent = await moneyDriver.confirm(asked);
  english(textOf(sent));
  await stage.later(2);
  const ended = moneyDriver.again(sent);
  expect(textOf(ended)).toMatch(/completed|arrived|paid/i);
  english(textOf(ended));
  const detail = messageOf(await moneyDriver.command("saques", { txid: codeOf(sent) }));
  english(textOf(detail));
  messageOf(await moneyDriver.press(detail, "saques:recibo:"));
  english(textOf(await moneyDriver.command("saques")));
});

test("an answer that was lost and a withdrawal that failed read in English", async () => {
  stage.sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at: "after" });
  stage.sandbox.wallet.failNextWithdrawal(ANA.id, { reason: "Conta de destino encerrada" });
  const unclear = await moneyDriver.withdraw({ modalidade: "turbo" });
  expect(textOf(unclear)).toMatch(/may have been/i);
  english(textOf(unclear));
  english(textOf(await moneyDriver.ask({ valor: "20" })));
  await stage.later(1);
  await stage.later(1);
  await stage.later(1);
  const told = [moneyDriver.again(unclear), ...moneyDriver.directMessages()].map(textOf).join("\n");
  expect(told).toMatch(/fail/i);
  english(told);
});

test("a split, the balance, the guards and the connection read in English", async () => {
  const direct = moneyDriver.person.openDirectMessages();
  const options = { recebedor: BRUNO.id, chave: ANAS_KEY };
  const asked = messageOf(await moneyDriver.command("split-saque", options));
  english(textOf(asked));
  english(textOf(await moneyDriver.confirm(asked)));
  const balance = textOf(await moneyDriver.command("saldo"));
  expect(balance).toMatch(/^R\$\s[\d,.]+ available\n[^]*on hold for MEDs/);
  english(balance);
  for (const typed of ["conta ver", "conta desconectar", "conta conectar"])
    english(textOf(await type(moneyDriver.person, typed, {}, direct)));
  english(textOf(await moneyDriver.command("seguranca")));
  const locked = messageOf(await moneyDriver.command("travar"));
  english(textOf(locked));
  english(textOf(await moneyDriver.press(locked, "travar:destravar:")));
  const refused = await moneyDriver.ask({});
  expect(has(refused, "saque:confirmar:")).toBe(false);
  english(textOf(refused));
  await stage.later(2);
  english(moneyDriver.directMessages().map(textOf).join("\n"));
});

const codeOf = (message: Parameters<typeof textOf>[0]): string =>
  /W-[0-9A-Z]{5}/.exec(textOf(message))?.[0] ?? "";
