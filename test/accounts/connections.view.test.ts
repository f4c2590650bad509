import { expect, test } from "vitest";
import { membersFields } from "#src/accounts/connections.view.ts";
import { sampleOffer } from "../support/samples.ts";

test.each([
  [9, 9, undefined],
  [10, 9, "Há mais 1, que não coube aqui."],
  [14, 9, "Há mais 5, que não couberam aqui."],
])("of %i key offers %i are shown whole, and how many more there are", (count, rows, more) => {
  const offers = Array.from({ length: count }, () => sampleOffer());
  const page = { owners: [], firstPlace: 1, page: 0, pages: 1 };
  const [field] = membersFields({ ...page, offers }, "pt-BR");
  const lines = field?.value.split("\n") ?? [];
  expect(lines.filter((each) => /vale até <t:\d+:d> <t:\d+:t>$/.test(each))).toHaveLength(rows);
  expect(lines[rows]).toBe(more);
  expect(field?.value.length).toBeLessThanOrEqual(1024);
});
