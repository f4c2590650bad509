import { expect, it } from "vitest";
import { type ListedBefore, watchGhosts } from "#src/services/ghost-watch.ts";
import { Secret } from "#src/shared/secret.ts";
import { ANA, GUILD, type MoneyStage, openMoneyStage } from "./money-stage.ts";

const look = async ({ needs, stores }: MoneyStage, memory: ListedBefore): Promise<void> => {
  const account = await stores.accounts.find(GUILD, ANA);
  const key = new Secret("sk_sandbox_ana_4f9c2d7e1b");
  if (account !== undefined) await watchGhosts(needs, memory, account, key);
};

it("Of a list of any length a few rows are remembered, and what is new above them is told in full", async () => {
  const stage = await openMoneyStage();
  stage.pageSize = 2_000;
  for (let count = 0; count < 1_000; count++) stage.add({ txid: `OLD${count}` });
  const memory: ListedBefore = new Map();
  let details = 0;
  const { wallet } = stage.needs;
  const counting = {
    ...stage,
    needs: {
      ...stage.needs,
      wallet: {
        ...wallet,
        withdrawal: (...asked: Parameters<typeof wallet.withdrawal>) => {
          details++;
          return wallet.withdrawal(...asked);
        },
      },
    },
  };
  await look(counting, memory);
  await look(counting, memory);

  expect([...memory.values()].map(({ size }) => size <= 25)).toEqual([true]);
  expect(details).toBe(0);

  stage.add({ txid: "GHOST" });
  await look(counting, memory);

  expect(details).toBe(1);
  expect((await stage.messages()).join()).toContain("GHOST");
});
