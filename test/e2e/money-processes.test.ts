import { beforeEach, expect, test } from "vitest";
import type { Bot } from "#src/bot.ts";
import { shardOf } from "#src/sandbox/discord/guilds.ts";
import { ANA, GUILD } from "#src/sandbox/world.ts";
import { databases } from "../support/databases.ts";
import { connected } from "../support/start-postgres.ts";
import { createMoneyDriver, type MoneyDriver } from "./support/money.ts";
import { openStage, type Stage, textOf } from "./support/stage.ts";

let stage: Stage;
let driver: MoneyDriver;
let answering: Bot;
let other: Bot;

beforeEach(async () => {
  const kind = databases.find(({ name }) => name === "PostgreSQL");
  stage = await openStage(kind, { settings: { SHARDS: "0", SHARD_COUNT: "2" } });
  const second = await stage.another({ SHARDS: "1", SHARD_COUNT: "2" });
  const isSecond = shardOf(GUILD.id, 2) === 1;
  [answering, other] = isSecond ? [second, stage.bot()] : [stage.bot(), second];
  await stage.connectAna();
  driver = createMoneyDriver(stage);
});

test("a private answer shows the end of a charge that another process found", async () => {
  await driver.command("cobrar", { valor: "79,90", descricao: "Plano VIP mensal" });
  const answer = () =>
    stage.sandbox.discord
      .visibleTo(ANA.id)
      .channels.flatMap(({ messages }) => messages)
      .findLast(({ privateTo, embeds }) => privateTo === ANA.id && embeds.length > 0);
  const [made] = stage.sandbox.wallet.charges(ANA.id);
  stage.sandbox.wallet.payCharge(ANA.id, made?.txid ?? "");
  for (const seconds of [60, 120]) {
    stage.sandbox.clock.moveBy(seconds * 1_000);
    await other.tick();
  }
  await answering.tick();
  expect(textOf(answer()!)).toMatch(/^Pago/);
});

test("a private answer shows the end of a withdrawal that another process has recorded", async () => {
  const sent = await driver.withdraw({ modalidade: "normal" });
  expect(textOf(sent)).toMatch(/aceito/);
  await connected(stage.databaseUrl, (client) =>
    client.query(
      "update withdraw_op set state = 'completed', next_check_at = null, version = version + 1",
    ),
  );
  await answering.tick();
  expect(textOf(driver.again(sent))).toMatch(/concluído/);
});
