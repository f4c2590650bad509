import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANA, CHANNELS } from "#src/sandbox/world.ts";
import { openStage, type Stage, textOf } from "./support/stage.ts";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

describe("S10: a machine whose clock steps", () => {
  let aheadMs = 0;
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(undefined, { botAheadMs: () => aheadMs });
    await stage.connectAna();
  });
  afterAll(() => stage.close());

  const steps = [
    ["10 s ahead", 10 * SECOND],
    ["an hour ahead", HOUR],
    ["an hour behind", -HOUR],
    ["back to what it was", 0],
  ] as const;

  test.each(steps)("%s answers the next command, of people and of money alike", async (_, to) => {
    aheadMs = to;
    const ana = stage.sandbox.discord.person(ANA.id);
    const sales = await ana.command({ channelId: CHANNELS.geral.id, name: "vendas" });
    expect(textOf(sales)).toContain("Líquido");
    const help = await ana.command({ channelId: CHANNELS.geral.id, name: "ajuda" });
    expect(textOf(help)).toContain("Balcão");
    expect(stage.logged()).not.toContain('"outcome":"stale"');
  });
});
