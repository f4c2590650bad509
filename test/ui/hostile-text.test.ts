import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import { WalletError, type WalletErrorKind } from "#src/shared/errors.ts";
import type { Locale } from "#src/shared/locale.ts";
import { errorReply } from "#src/help/error.view.ts";
import { safe } from "#src/ui/format.ts";
import { english } from "../e2e/support/english.ts";
import { hostileText } from "../support/any-text.ts";
import { type HostileView, HOSTILE_SAMPLES, outsideCode, UNSEEN } from "./hostile-samples.ts";
import { PINGS } from "../disputes/hostile-disputes.ts";
import { hostileViews } from "./hostile-views.ts";
import { brokenLimits } from "./message-limits.ts";
import { readMessage } from "./read-message.ts";

const RUNS_OF_A_FORM = 100;
const MOST_RUNS = 700;
const locales: readonly Locale[] = ["pt-BR", "en-US"];
const views = Object.entries(hostileViews);

const insideCode = (payload: DeliveryPayload): string =>
  (JSON.stringify(payload).match(/`[^`]*`/g) ?? []).join("");

/** All strings of a message, decoded from JSON. */
const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** A message without the options that people name themselves. */
const withoutNames = (view: HostileView, message: DeliveryPayload): DeliveryPayload =>
  view.namesOptions ? { ...message, components: [] } : message;

const formsOf = (view: HostileView) =>
  view.renders.flatMap((render) =>
    locales.map((locale) => ({
      shownWith: (text: string) => render(`${view.prefix}${text}`, locale),
      frame: outsideCode(withoutNames(view, render(`${view.prefix}x`, locale))),
    })),
  );

/** Views that show the bot's own words, amounts, times and ids alone, and those that a test of their own covers. */
const otherViews: readonly string[] = [
  "accountingReply", // its files: accounting-views.test.ts
  "abandonedView",
  "alertChannelLostNotice",
  "alertRouteView",
  "alertSetupView",
  "allCommandsView",
  "operationsView",
  "channelLostNotice",
  "brasiliaDayView",
  "closePost", // posts.test.ts
  "codeView", // charge.view.test.ts
  "decidedForAnotherView",
  "disconnectQuestion", // disconnectFromQuestion, disconnectHereQuestion
  "disconnectedView",
  "disputeCalendarReply", // dispute-calendar.view.test.ts
  "disputeRateView",
  "dossierReply", // dossier.view.test.ts
  "expiredView",
  "goalRemovedView",
  "goalView",
  "keyAcceptedNotice", // posts.test.ts
  "keyQuestionView",
  "lockView",
  "ownCloseView",
  "ownReportView",
  "ownDayView", // joins two views
  "proofsFileReply", // dossier.view.test.ts
  "receiptView", // money-hostile.test.ts
  "reminderView",
  "reportChannelNotice",
  "reportSetupView",
  "dailyReportPost", // posts.test.ts
  "rejectedReportNotice",
  "restoreAcknowledgedView",
  "salesPeriodView",
  "saleChannelLostNotice",
  "saleRouteView",
  "saleSetupView",
  "testOutcomeView",
  "testPost",
  "uncertainCloseNotice",
  "uncertainReportNotice",
  "unlistedAlert",
  "webhookQuestionView",
  "webhookRemovedView",
  "webhookView",
];

test("every view is registered here, or shows no text from outside", () => {
  const named = globSync("src/**/*.ts")
    .filter((path) => /\/views\/|\.view\.ts$/.test(path))
    .flatMap((path) => [
      ...readFileSync(path, "utf8").matchAll(
        /^export const (\w+(?:View|Notice|Alert|Post|Question|Reply))\b/gm,
      ),
    ])
    .map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set([...Object.keys(hostileViews), ...otherViews]));
});

/** Views whose texts from outside are left out of what they show. */
const silentViews: readonly string[] = [
  "keyOfferEndNotice",
  "memberRemovedView",
  "noReportView",
  "offerAcceptedView",
  "offerRefusedView",
  "removeMemberQuestion",
  "replacedNotice",
  "reportRouteView",
  "sharedAccountNotice",
];

test("every registered view shows the text, but for those that leave it out", () => {
  const silent = views.filter(
    ([, { renders }]) =>
      !renders.some((render) => JSON.stringify(render("zqx", "pt-BR")).includes("zqx")),
  );
  expect(silent.map(([name]) => name).sort()).toEqual(silentViews);
});

describe.each(views)("a stranger's text in %s", (_name, view) => {
  const runs = Math.min(MOST_RUNS, RUNS_OF_A_FORM * view.renders.length);

  test(`changes nothing outside its code: ${runs} texts`, () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom(...formsOf(view)), (text, { shownWith, frame }) => {
        const shown = shownWith(text);
        expect(outsideCode(withoutNames(view, shown))).toBe(frame);
        expect(insideCode(shown)).not.toMatch(/\\n/);
        expect(stringsIn(shown).join(" ").replaceAll("\n", "")).not.toMatch(UNSEEN);
        expect(brokenLimits(shown)).toEqual([]);
      }),
      { numRuns: runs },
    );
  });

  test.each(Object.entries(HOSTILE_SAMPLES))("be it %s, stays in its code", (_what, sample) => {
    for (const render of view.renders)
      for (const locale of locales) {
        const shown = render(sample, locale);
        expect(outsideCode(withoutNames(view, shown))).not.toMatch(/z\W*q\W*x/);
        expect([undefined, PINGS]).toContainEqual(shown.pings);
        expect(brokenLimits(shown)).toEqual([]);
      }
  });

  test("is never in a title, a footer, a label, a menu or a custom id", () => {
    for (const render of view.renders) {
      const {
        embeds = [],
        components,
        content,
      } = withoutNames(view, render(":<@118> zqx", "pt-BR"));
      const frame = embeds.map(({ title, description, footer, fields = [] }) => [
        title,
        footer,
        fields.map(({ name }) => name),
        view.place === "fields" ? [description, content] : [],
      ]);
      expect(JSON.stringify([components, frame])).not.toContain("zqx");
    }
  });

  test("stands in the reader's language", () => {
    for (const render of view.renders) english(readMessage(render("9x2z", "en-US")).join("\n"));
  });

  test("fits with the longest of texts, never exclaims and never shows undefined", () => {
    for (const render of view.renders)
      for (const locale of locales) {
        expect(brokenLimits(render("x".repeat(5_000), locale))).toEqual([]);
        const { embeds, content = "" } = render("x", locale);
        expect(stringsIn([embeds, content]).join(" ")).not.toMatch(/!|undefined|NaN|\[object/);
      }
  });
});

test("an error of the service says that no money moved, and never what the service said", () => {
  const kinds: readonly WalletErrorKind[] = ["unavailable", "timeout", "malformed", "refused"];
  for (const kind of kinds) {
    const cause = new Error("@everyone SECRET");
    const error = new WalletError({ kind, method: "GET", route: "/v1/x", cause });
    const text = JSON.stringify(errorReply(error, "pt-BR", "ABCD2345"));
    expect(text).toContain("nenhum dinheiro se moveu");
    expect(text).toContain("ABCD2345");
    expect(text).not.toContain("SECRET");
  }
});

describe("a stranger's text", () => {
  test.each([
    ["a plain name", "João da Silva", "`João da Silva`"],
    ["a mention of everybody", "@everyone", "`@everyone`"],
    ["back-ticks", "a``b```c", "`a''b'''c`"],
    ["the Greek mark that composes to a back-tick", "a\u1fefb", "`a'b`"],
    ["lines and tabs", " a\r\n\tb\u2028c ", "`a b c`"],
    ["a bidirectional override", "gpj.\u202eexe", "`gpj.exe`"],
    ["invisible marks and tags", "a\u200b\u{e0041}\ufe0f\u00ad\u3164b", "`ab`"],
    ["halves of a pair", "a\ud800b\udc00", "`ab`"],
    ["terminal colours", "\u001b[31mred", "`[31mred`"],
    ["an accent behind a hidden mark", "e\u200d\u0301", "`é`"],
    ["nothing at all", "", "`—`"],
    ["nothing that can be seen", "\u200b \u202e", "`—`"],
  ])("with %s is one readable line of code", (_, text, shown) => {
    expect(safe(text, 100)).toBe(shown);
  });

  test("is cut between characters, with a sign that something is missing", () => {
    expect(safe("👩🇧🇷abcdef", 5)).toBe("`👩🇧🇷a…`");
    expect(safe("abcde", 5)).toBe("`abcde`");
  });

  test("is always one span of code with nothing hidden in it, whatever it was", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 60 }), (text, max) => {
        const shown = safe(text, max);
        expect(shown).toMatch(
          /^`[^`\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]+`$/u,
        );
        // A space before a slash keeps the text from becoming a mention of a command.
        const spaces = shown.startsWith("` /") ? 1 : 0;
        expect(shown).not.toMatch(/^`\s(?!\/)|\s`$|\s{2}/);
        expect(shown).toBe(shown.normalize("NFC"));
        expect(Array.from(shown).length).toBeLessThanOrEqual(max + 2 + spaces);
      }),
      { numRuns: 4_000, examples: [["/@everyone", 2]] },
    );
  });
});
