import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/domain/delivery.ts";
import { alertSteps } from "#src/domain/dispute-alert.ts";
import { followedDispute } from "#src/domain/dispute-watch.ts";
import type { Locale } from "#src/shared/locale.ts";
import { type AlertFacts, disputeAlert, repeatedAlert } from "#src/views/disputes/dispute-alert.ts";
import { disputeChoices, disputeListView } from "#src/views/disputes/dispute-list.ts";
import { disputeDetailView } from "#src/views/disputes/dispute-detail.ts";
import { hostileText } from "../../support/any-text.ts";
import { NOW } from "../../support/samples.ts";
import { detailFacts, hostileDispute, listFacts, sampleRow } from "./dispute-samples.ts";
import { HOSTILE_SAMPLES, UNSEEN, outsideCode } from "../hostile-samples.ts";
import { brokenLimits } from "../message-limits.ts";

const RUNS = 4_000;
const PINGS = { userId: "1180000000000000011", roleId: "1180000000000000301" };
const locales: readonly Locale[] = ["pt-BR", "en-US"];

type Render = (text: string, locale: Locale) => DeliveryPayload;

const alertOf =
  (step: (typeof alertSteps)[number], pings?: AlertFacts["pings"]): Render =>
  (text, locale) => {
    const dispute = { ...hostileDispute(text), infractionId: text };
    const watched = followedDispute("account-1", dispute, NOW);
    return disputeAlert({
      step,
      dispute: watched,
      pings,
      at: NOW,
      locale,
      reference: "ref a1b2c3d4",
    });
  };
const said = (text: string) => ({ status: text, analysisStatus: text, txid: text });
const rowsOf = (text: string) => [
  sampleRow({ state: "other", ...said(text) }),
  sampleRow({ infractionId: "other-1", state: undefined, ...said(text) }),
  sampleRow({ infractionId: text, state: "other", ...said(text) }),
];

/** Every message with dispute text from the service; ids are hostile too, although the client rejects such ids. */
const renderers: Readonly<Record<string, Render>> = {
  detail: (text, locale) =>
    disputeDetailView(detailFacts({ dispute: hostileDispute(text), state: "other", locale })),
  "detail of an id that is none": (text, locale) => {
    const dispute = { ...hostileDispute(text), infractionId: text };
    return disputeDetailView(detailFacts({ dispute, state: "needs_answer", locale }));
  },
  list: (text, locale) => disputeListView(listFacts({ rows: rowsOf(text), locale })),
  ...Object.fromEntries(
    alertSteps.flatMap((step) => {
      const again: Render = (text, locale) =>
        repeatedAlert(alertOf(step, PINGS)(text, locale), "ref e5f6a7b8", locale);
      return [
        [`${step} in direct messages`, alertOf(step)],
        [`${step} in a channel`, alertOf(step, PINGS)],
        [`${step} once more`, again],
      ];
    }),
  ),
};

const everyRender = Object.values(renderers).flatMap((render) =>
  locales.map((locale) => ({ render, locale, frame: outsideCode(render("<", locale)) })),
);

/** All strings of a message, decoded from JSON. */
const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

describe("what the service writes of disputes", () => {
  test(`changes nothing outside its code, in any message: ${RUNS} texts`, () => {
    fc.assert(
      fc.property(
        hostileText.map((text) => `<${text}`),
        fc.constantFrom(...everyRender),
        (text, { render, locale, frame }) => {
          const shown = render(text, locale);
          expect(outsideCode(shown)).toBe(frame);
          expect(brokenLimits(shown)).toEqual([]);
          expect(stringsIn(shown).join(" ").replaceAll("\n", "")).not.toMatch(UNSEEN);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test.each(Object.entries(HOSTILE_SAMPLES))("be it %s, stays in its code", (_what, sample) => {
    for (const { render, locale } of everyRender) {
      const shown = render(sample, locale);
      expect(outsideCode(shown)).not.toContain("zqx");
      expect([undefined, PINGS]).toContainEqual(shown.pings);
    }
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
    expect(JSON.stringify(disputeChoices(rowsOf(text), "pt-BR"))).not.toContain("zqx");
  });

  test("is asked for again only by an id that can be: no button or option names another", () => {
    const text = "../balance zqx";
    const { components = [] } = alertOf("new")(text, "pt-BR");
    expect(components).toEqual([]);
    expect(disputeChoices(rowsOf(text), "en-US").map(({ value }) => value)).toEqual([
      sampleRow().infractionId,
      "other-1",
    ]);
  });
});
