import { beforeEach, expect, test } from "vitest";
import type { Bot } from "#src/bot.ts";
import { ANA } from "#src/sandbox/world.ts";
import { databases } from "../support/databases.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { openStage, type Stage } from "./support/stage.ts";

let stage: Stage;
let watch: Watch;
let bots: readonly Bot[];

/** Both processes look for due work at the same time. */
const together = async (minutes: number): Promise<void> => {
  stage.sandbox.clock.moveTo(stage.sandbox.clock.now().add({ minutes }));
  await Promise.all(bots.map((bot) => bot.tick()));
};

beforeEach(async () => {
  const kind = databases.find(({ name }) => name === "PostgreSQL");
  stage = await openStage(kind, { settings: { SHARDS: "0", SHARD_COUNT: "2" } });
  const other = await stage.another({ SHARDS: "1", SHARD_COUNT: "2" });
  bots = [stage.bot(), other];
  await stage.connectAna();
  watch = createWatch(stage);
  await together(6);
});

test("two processes on one PostgreSQL tell each alert once", async () => {
  const ids = Array.from({ length: 4 }, () => watch.open(30));
  const said = () => ids.map((id) => watch.told(id));
  const everyone = (...titles: readonly string[]) => ids.map(() => titles);
  for (const minutes of [3, 3, 3]) await together(minutes);
  expect(said()).toEqual(everyone("Novo MED"));
  await together(6 * 60);
  await together(1);
  expect(said()).toEqual(everyone("Novo MED", "MED: menos de 24 horas para responder"));
  for (const id of ids)
    stage.sandbox.wallet.answerMed(ANA.id, id, { status: "disagreed", text: "Foi entregue." });
  for (const minutes of [3, 3, 3]) await together(minutes);
  for (const id of ids) stage.sandbox.wallet.decideMed(ANA.id, id, "rejected");
  for (const minutes of [3, 3, 3]) await together(minutes);
  expect(said().map((titles) => titles.slice(2))).toEqual(
    everyone("MED respondido", "MED ganho: valor liberado"),
  );
});

test("what one process leaves undone the other does, and nothing twice", async () => {
  const id = watch.open(30);
  await together(6);
  await stage.bot().stop();
  const [, other] = bots;
  bots = other === undefined ? [] : [other];
  await together(24 * 60);
  await together(1);
  expect(watch.told(id)).toEqual(["Novo MED", "MED: menos de 6 horas para responder"]);
});
