import { expect, test } from "vitest";
import { disputeChoices } from "#src/disputes/dispute-list.view.ts";
import { hostileViews } from "./hostile-views.ts";
import { hostileRows, sampleRow } from "../disputes/dispute-samples.ts";

test("what the service writes of disputes is never in a suggestion", () => {
  expect(JSON.stringify(disputeChoices(hostileRows("<@118> zqx"), "pt-BR"))).not.toContain("zqx");
});

test("a dispute is asked for again only by an id that can be: no button or option names another", () => {
  const text = "../balance zqx";
  for (const render of hostileViews["disputeAlert"]?.renders ?? [])
    expect(render(text, "pt-BR").components ?? []).toEqual([]);
  expect(disputeChoices(hostileRows(text), "en-US").map(({ value }) => value)).toEqual([
    sampleRow().infractionId,
    "other-1",
  ]);
});
