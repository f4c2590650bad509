import { beforeEach, expect, test } from "vitest";
import { ANA, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { english } from "./support/english.ts";
import { ANAS_KEY, has, partWith } from "./support/money.ts";
import {
  formOf,
  keepProof,
  messageOf,
  openStage,
  type Stage,
  textOf,
  type,
} from "./support/stage.ts";

let stage: Stage;
let watch: Watch;

beforeEach(async () => {
  stage = await openStage();
  for (const { id } of [ANA, CARLA]) stage.sandbox.discord.person(id).setLocale("en-US");
  await stage.connectAna();
  watch = createWatch(stage);
  await watch.later(6);
});

test("a refused key is told in the language of its owner, though the server reads Portuguese", async () => {
  stage.sandbox.discord.person(CARLA.id).setLocale("pt-BR");
  await watch.setRoute({ canal: CHANNELS.avisos.id });
  stage.sandbox.wallet.revoke(ANA.apiKey);
  await watch.later(6);
  const [told = ""] = watch.moneyDriver.directMessages().map(textOf);
  expect(told).toContain("The service refused your key");
  english(told);
});

test("the buttons of an alert answer in English", async () => {
  const id = watch.open(100);
  await watch.later(6);
  const alert = watch.latest(id);
  const detail = messageOf(await watch.moneyDriver.press(alert, "meds:ver:"));
  english(textOf(detail));
  for (const button of ["adiar", "respondi", "agenda", "defesa"])
    english(textOf(await watch.moneyDriver.press(alert, `meds:${button}:`)));
  await watch.later(95 * 60);
  expect(textOf(await watch.moneyDriver.press(detail, "meds:adiar:"))).toContain("too late");
  stage.sandbox.wallet.cancelMed(ANA.id, id);
  await watch.later(6);
  expect(textOf(await watch.moneyDriver.press(detail, "meds:respondi:"))).toContain(
    "needs no answer",
  );
  expect(watch.told(id).at(-1)).toBe("MED cancelled");
});

test("proofs read in English, from the form to their end", async () => {
  const written = stage.sandbox.discord.person(BRUNO.id).write(CHANNELS.geral.id, "Received it.");
  english(textOf(await watch.moneyDriver.command("provas")));
  const { person } = watch.moneyDriver;
  const form = formOf(await person.messageCommand(written.id, "Guardar como prova"));
  english(JSON.stringify(form.components));
  english(textOf(await person.submitModal(form, { txid: "a b" })));
  english(textOf(await keepProof(person, written, "a41f07c98e2d")));
  const list = messageOf(await watch.moneyDriver.command("provas"));
  english(textOf(list));
  const [, id = ""] = /"value":"([\w-]+)"/.exec(JSON.stringify(list.components)) ?? [];
  const open = partWith(list, "provas:abrir:");
  const detail = messageOf(await watch.moneyDriver.person.select(list.id, open, [id]));
  english(textOf(detail));
  const asks = messageOf(await watch.moneyDriver.press(detail, "provas:perguntar:"));
  english(textOf(asks));
  english(textOf(await watch.moneyDriver.press(asks, "provas:apagar:")));
});

test("where alerts go reads in English, for the admin and for the seller", async () => {
  english(textOf(await watch.setRoute()));
  const route = await watch.setRoute({ canal: CHANNELS.avisos.id });
  english(textOf(route));
  english(await watch.setQuiet(route, "22:00-07:00"));
  for (const choice of ["channel", "off", "direct"] as const) english(await watch.choose(choice));
  await watch.choose("channel");
  stage.sandbox.discord.deleteChannel(CHANNELS.avisos.id);
  watch.open(10);
  await watch.later(6);
  await watch.later(1);
  english(textOf(await watch.setRoute()));
  const told = stage.sandbox.discord.directMessages(CARLA.id).map(textOf);
  expect(told).toHaveLength(1);
});

test("a split, the balance, the guards and the connection read in English", async () => {
  const direct = watch.moneyDriver.person.openDirectMessages();
  const options = { recebedor: BRUNO.id, chave: ANAS_KEY };
  const asked = messageOf(await watch.moneyDriver.command("split-saque", options));
  english(textOf(asked));
  english(textOf(await watch.moneyDriver.confirm(asked)));
  const balance = textOf(await watch.moneyDriver.command("saldo"));
  expect(balance).toMatch(/^R\$\s[\d,.]+ available\n[^]*on hold for MEDs/);
  english(balance);
  for (const typed of ["conta ver", "conta desconectar", "conta conectar"])
    english(textOf(await type(watch.moneyDriver.person, typed, {}, direct)));
  english(textOf(await watch.moneyDriver.command("seguranca")));
  const locked = messageOf(await watch.moneyDriver.command("travar"));
  english(textOf(locked));
  english(textOf(await watch.moneyDriver.press(locked, "travar:destravar:")));
  const refused = await watch.moneyDriver.ask({});
  expect(has(refused, "saque:confirmar:")).toBe(false);
  english(textOf(refused));
  await stage.later(2);
  english(watch.moneyDriver.directMessages().map(textOf).join("\n"));
});
