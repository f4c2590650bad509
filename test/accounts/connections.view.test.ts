import { describe, expect, test } from "vitest";
import { disconnectedFromView } from "#src/accounts/connections.view.ts";
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
