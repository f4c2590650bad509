import { sql } from "kysely";
import { expect, it } from "vitest";
import { sqliteCode } from "#src/store/sqlite.ts";
import { actor, ANA, confirmed, type MoneyStage, openMoneyStage, prepared } from "./money-stage.ts";

const limitPages = ({ db }: MoneyStage, pages: number) =>
  sql.raw(`pragma max_page_count = ${pages}`).execute(db);

/** The file may not grow any more; what its pages still hold is used up by orders. */
const fill = async (stage: MoneyStage): Promise<void> => {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(stage.db);
  await limitPages(stage, rows[0]?.page_count ?? 0);
  const full = async (): Promise<boolean> => {
    try {
      await prepared(stage);
      return false;
    } catch (error) {
      expect(sqliteCode(error)).toBe("SQLITE_FULL");
      return true;
    }
  };
  let orders = 0;
  while (!(await full())) orders += 1;
  expect(orders).toBeGreaterThan(0);
};

it("S16: on a full disk nothing leaves that the journal cannot hold, and reading goes on", async () => {
  const stage = await openMoneyStage();
  const orders = [];
  for (let index = 0; index < 40; index += 1) orders.push(await prepared(stage));
  await fill(stage);
  expect((await stage.money.balance.read(actor())).balance).toBeDefined();

  let refused = 0;
  for (const order of orders) {
    try {
      const { op } = await confirmed(stage, order);
      // Its end frees the account for the next order.
      stage.become(op.txid ?? "", { status: "completed" });
      await stage.follow(60_000);
    } catch {
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(0);
  const requests = stage.sent.length;
  await limitPages(stage, 1_000_000);
  await stage.follow(10 * 60_000);

  const ops = await stage.stores.journal.list({ ownerId: ANA, limit: 100 });
  const left = ops.filter(({ sentAt }) => sentAt !== undefined);
  expect(left).toHaveLength(requests);
  expect(left.filter(({ state }) => state !== "accepted" && state !== "completed")).toEqual([]);
  for (const { txid } of left) stage.become(txid ?? "", { status: "completed" });
  await stage.follow(10 * 60_000);
  expect((await confirmed(stage, await prepared(stage))).op.state).toBe("accepted");
  expect(stage.sent).toHaveLength(requests + 1);
});
