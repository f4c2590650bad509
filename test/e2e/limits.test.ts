import { expect, test } from "vitest";
import { BRUNO } from "#src/sandbox/world.ts";
import { createMoneyDriver } from "./support/money.ts";
import { openStage, textOf } from "./support/stage.ts";

test("S9: who floods the bot reads how long to wait, and can lock withdrawals all the same", async () => {
  const stage = await openStage(undefined, {
    settings: { COMMANDS_PER_PERSON: "", COMMANDS_PER_SERVER: "" },
  });
  const bruno = createMoneyDriver(stage, BRUNO.id);
  const shown = await Promise.all(Array.from({ length: 13 }, () => bruno.command("ajuda")));
  const refused = shown.map(textOf).filter((text) => text.startsWith("Muitos comandos seguidos"));
  expect(refused).toHaveLength(3);
  for (const text of refused) expect(text).toMatch(/Tente de novo em \d+ segundos?\./);
  expect(textOf(await bruno.command("travar"))).toContain("Saques travados");
  expect(textOf(await createMoneyDriver(stage).command("ajuda"))).not.toContain("Muitos comandos");
});
