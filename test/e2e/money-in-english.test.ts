import { afterEach, beforeEach, expect, test } from "vitest";
import { ANA, BRUNO } from "#src/sandbox/world.ts";
import { english } from "./support/english.ts";
import { ANAS_KEY, createTill, has, type Till } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

let stage: Stage;
let till: Till;

const later = (minutes: number): Promise<void> =>
  stage.moveTo(stage.sandbox.clock.now().add({ minutes }).toString());

beforeEach(async () => {
  stage = await openStage();
  await stage.connectAna();
  till = createTill(stage);
  till.person.setLocale("en-US");
});

afterEach(() => stage.close());

test("a withdrawal reads in English from the question to its end", async () => {
  const asked = await till.ask({ valor: "1.234,56", modalidade: "turbo" });
  english(textOf(asked));
  const sent = await till.confirm(asked);
  english(textOf(sent));
  await later(2);
  const ended = till.again(sent);
  expect(textOf(ended)).toMatch(/completed|arrived|paid/i);
  english(textOf(ended));
  const detail = messageOf(await till.command("saques", { txid: codeOf(sent) }));
  english(textOf(detail));
  messageOf(await till.press(detail, "saques:recibo:"));
  english(textOf(await till.command("saques")));
});

test("an answer that was lost and a withdrawal that failed read in English", async () => {
  stage.sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at: "after" });
  stage.sandbox.wallet.failNextWithdrawal(ANA.id, { reason: "Conta de destino encerrada" });
  const unclear = await till.withdraw({ modalidade: "turbo" });
  expect(textOf(unclear)).toMatch(/may have been/i);
  english(textOf(unclear));
  english(textOf(await till.ask({ valor: "20" })));
  await later(1);
  await later(1);
  await later(1);
  const told = [till.again(unclear), ...till.directMessages()].map(textOf).join("\n");
  expect(told).toMatch(/fail/i);
  english(told);
});

test("a split, the balance and the guards read in English", async () => {
  const options = { recebedor: BRUNO.id, chave: ANAS_KEY };
  const asked = messageOf(await till.command("split-saque", options));
  english(textOf(asked));
  english(textOf(await till.confirm(asked)));
  english(textOf(await till.command("saldo")));
  english(textOf(await till.command("seguranca")));
  const locked = messageOf(await till.command("travar"));
  english(textOf(locked));
  english(textOf(await till.press(locked, "travar:destravar:")));
  const refused = await till.ask({});
  expect(has(refused, "saque:confirmar:")).toBe(false);
  english(textOf(refused));
  await later(2);
  english(till.directMessages().map(textOf).join("\n"));
});

const codeOf = (message: Parameters<typeof textOf>[0]): string =>
  /W-[0-9A-Z]{5}/.exec(textOf(message))?.[0] ?? "";
