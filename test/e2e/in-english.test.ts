import { beforeEach, expect, test } from "vitest";
import { ANA, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { english } from "./support/english.ts";
import { partWith } from "./support/money.ts";
import { formOf, keepProof, messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

const PENDING = "b3c5e0f2-66d1-4a7e-8f19-0d42a7c81e53";
const LOST = "91e2c7a4-38df-4b60-95f8-2ad4e06b13c9";

let stage: Stage;
let watch: Watch;

beforeEach(async () => {
  stage = await openStage();
  for (const { id } of [ANA, CARLA]) stage.sandbox.discord.person(id).setLocale("en-US");
  await stage.connectAna();
  watch = createWatch(stage);
  await watch.later(6);
});

test("alerts read in English, from the first to the decision", async () => {
  const [decided, expired, answered] = [watch.open(100), watch.open(100), watch.open(100)];
  await watch.later(6);
  for (const hours of [29, 24, 24, 18, 4]) await watch.later(hours * 60);
  stage.sandbox.wallet.decideMed(ANA.id, decided, "accepted");
  stage.sandbox.wallet.answerMed(ANA.id, answered, { status: "agreed", text: "OK" });
  await watch.later(6);
  stage.sandbox.wallet.decideMed(ANA.id, answered, "rejected");
  await watch.later(2 * 60);
  await watch.later(6);
  const reminders = ["3 days", "2 days", "24 hours", "6 hours", "1 hour"].map(
    (left) => `MED: less than ${left} to answer`,
  );
  expect(watch.told(expired)).toEqual([
    "New MED",
    ...reminders,
    "MED: the deadline passed without an answer",
  ]);
  expect(watch.told(answered).slice(-2)).toEqual([
    "MED: you accepted the claim",
    "MED won: amount released",
  ]);
  expect(watch.told(decided).at(-1)).toBe("MED lost: returned to the payer");
  for (const message of watch.alerts()) english(textOf(message));
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

test("the overview, a dispute in full and the rate read in English", async () => {
  const short = messageOf(await watch.moneyDriver.command("meds"));
  english(textOf(short));
  const list = messageOf(await watch.moneyDriver.press(short, "meds:lista:"));
  english(textOf(list));
  english(textOf(await watch.moneyDriver.press(list, "meds:taxa:")));
  for (const infracao of [PENDING, LOST, "unknown-id"])
    english(textOf(await watch.moneyDriver.command("meds", { infracao })));
  const filter = partWith(list, "meds:filtro:");
  english(textOf(await watch.moneyDriver.person.select(list.id, filter, ["won"])));
  stage.sandbox.faults.failNext("GET /v1/meds", { kind: "html", at: "before" }, 50);
  english(textOf(await watch.moneyDriver.command("meds")));
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
  english(textOf(await watch.moneyDriver.press(detail, "provas:apagar:")));
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
