import { describe, expect, test } from "vitest";
import { disconnectedFromView, membersFields } from "#src/accounts/connections.view.ts";
import { keyOfferQuestion } from "#src/accounts/notices.view.ts";
import { sampleOffer } from "../support/samples.ts";
import { readMessage } from "../ui/read-message.ts";

const GUILD = "1180000000000000001";
const ADMIN = "1180000000000000013";

describe("S14, S18: messages about people and their keys", () => {
  test("name a server by the end of its id where Discord does not tell its name", () => {
    expect(readMessage(disconnectedFromView(GUILD, undefined, false, "pt-BR"))[1]).toContain(
      "`…0001`",
    );
  });

  test.each([
    [9, 9, undefined],
    [10, 9, "Há mais 1, que não coube aqui."],
    [14, 9, "Há mais 5, que não couberam aqui."],
  ])("of %i key offers show %i whole, and say how many more there are", (count, rows, more) => {
    const offers = Array.from({ length: count }, () => sampleOffer());
    const page = { owners: [], firstPlace: 1, page: 0, pages: 1 };
    const [field] = membersFields({ ...page, offers }, "pt-BR");
    const lines = field?.value.split("\n") ?? [];
    expect(lines.filter((each) => /vale até <t:\d+:d> <t:\d+:t>$/.test(each))).toHaveLength(rows);
    expect(lines[rows]).toBe(more);
    expect(field?.value.length).toBeLessThanOrEqual(1024);
  });

  test("the question about a key shows both ends, who asks, and until when", () => {
    const shown = readMessage(
      keyOfferQuestion(sampleOffer(), {
        locale: "pt-BR",
        reference: "ref a1b2c3d4",
        presentLast4: "9x2z",
      }),
    );
    expect(shown[1]).toMatch(new RegExp(`<@${ADMIN}>[^]*<t:1795284000:d> <t:1795284000:t>`));
    expect(shown.slice(2, 4)).toEqual(["Chave de agora: `…9x2z`", "Chave nova: `…wxyz`"]);
  });
});
