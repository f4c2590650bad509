import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/domain/delivery.ts";
import type { Locale } from "#src/texts/locale.ts";
import { disputeChoices } from "#src/views/dispute-choices.ts";
import { disputeDetailView } from "#src/views/dispute-detail.ts";
import { disputeListView } from "#src/views/dispute-list.ts";
import { hostileText } from "../support/any-text.ts";
import { detailFacts, hostileDispute, listFacts, sampleRow } from "./dispute-samples.ts";
import { brokenLimits } from "./message-limits.ts";

const RUNS = 10_000;

const renderers: Readonly<Record<string, (text: string, locale: Locale) => DeliveryPayload>> = {
  detail: (text, locale) =>
    disputeDetailView(detailFacts({ dispute: hostileDispute(text), state: "other", locale })),
  list: (text, locale) =>
    disputeListView(
      listFacts({
        rows: [
          sampleRow({ state: "other", status: text, analysisStatus: text, txid: text }),
          sampleRow({ infractionId: "other-1", state: undefined, status: text }),
        ],
        locale,
      }),
    ),
};

const outsideCode = (payload: DeliveryPayload): string =>
  JSON.stringify(payload).replace(/`[^`]*`/g, "`code`");

describe("what the service writes of disputes", () => {
  test(`changes nothing outside its code: ${RUNS} texts`, () => {
    fc.assert(
      fc.property(
        hostileText.map((text) => `:${text}`),
        fc.constantFrom(...Object.keys(renderers)),
        fc.constantFrom<Locale>("pt-BR", "en-US"),
        (text, name, locale) => {
          const render = renderers[name]!;
          const shown = render(text, locale);
          expect(outsideCode(shown)).toBe(outsideCode(render(":", locale)));
          expect(brokenLimits(shown)).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("is never in a title, a label, a menu, a custom id or a suggestion", () => {
    const text = "<@118> zqx";
    for (const render of Object.values(renderers)) {
      const { embeds = [], components = [], content } = render(text, "pt-BR");
      const frame = embeds.map(({ title, description, footer, fields = [] }) => [
        title,
        description,
        footer,
        fields.map(({ name }) => name),
      ]);
      expect(JSON.stringify([components, frame, content])).not.toContain("zqx");
    }
    const row = sampleRow({ state: "other", status: text, analysisStatus: text, txid: text });
    expect(JSON.stringify(disputeChoices([row], "pt-BR"))).not.toContain("zqx");
  });
});
