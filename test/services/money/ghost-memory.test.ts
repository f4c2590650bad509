import { expect, it } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import { ANA, GUILD, openMoneyStage } from "./money-stage.ts";

it("Of a long list only what is new is read in full, also by a process that has just begun", async () => {
  const stage = await openMoneyStage();
  stage.pageSize = 2_000;
  for (let count = 0; count < 1_000; count++) stage.add({ txid: `OLD${count}` });
  const { wallet } = stage.needs;
  const read: string[] = [];
  const counting: typeof wallet = {
    ...wallet,
    withdrawal: (key, txid, lane) => {
      read.push(txid);
      return wallet.withdrawal(key, txid, lane);
    },
  };
  const lookInNewProcess = async (): Promise<void> => {
    const account = await stage.stores.accounts.find(GUILD, ANA);
    if (account === undefined) throw new Error("Ana is not connected");
    const key = new Secret("sk_sandbox_ana_4f9c2d7e1b");
    await stage.process({ wallet: counting }).watchGhosts(account, key);
  };
  await lookInNewProcess();
  await lookInNewProcess();
  expect(read).toEqual([]);

  stage.add({ txid: "GHOST" });
  await lookInNewProcess();

  expect(read).toEqual(["GHOST"]);
  expect((await stage.messages()).join()).toContain("GHOST");
});
