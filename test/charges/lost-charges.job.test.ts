import { expect, test } from "vitest";
import { cents } from "#src/shared/money.ts";
import { NOW } from "../support/samples.ts";
import { listed, setUp } from "./charge-stage.ts";

/** A list that shows these rows, says that there is more, and not how to ask for it. */
const cutAfter = async (rows: number) => {
  const stage = await setUp({ state: "unknown", txid: undefined, code: undefined });
  stage.service.isCut = true;
  stage.service.list = () =>
    Array.from({ length: rows }, (_, hours) => ({
      ...listed(`sold-${hours}`),
      amount: cents(1),
      createdAt: NOW.subtract({ hours }),
    }));
  return stage;
};

test("a list that says there is more, without the way to it, proves no absence", async () => {
  const stage = await cutAfter(1);
  await stage.look(9);
  expect(await stage.charge()).toMatchObject({ state: "unknown", checks: 0 });
});

test("a list that is cut before the charge's time, newest first, leaves nothing out about it", async () => {
  const stage = await cutAfter(20);
  await stage.look(9);
  expect(await stage.charge()).toMatchObject({ state: "missing" });
});
