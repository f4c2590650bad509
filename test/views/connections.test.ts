import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/domain/delivery.ts";
import type { KeyOffer, OfferEnd } from "#src/domain/wallet-key.ts";
import type { Locale } from "#src/shared/locale.ts";
import {
  connectionsView,
  disconnectedFromView,
  disconnectFromQuestion,
  memberAskedView,
  memberRemovedView,
  offerAnsweredView,
  removeMemberQuestion,
  reportConsentView,
} from "#src/views/connections.ts";
import {
  keyOfferEndNotice,
  keyOfferQuestion,
  leftServerNotice,
  removedNotice,
} from "#src/views/notices.ts";
import { noReportView, reportRouteView } from "#src/views/report-route.ts";
import { NOW, sampleAccount, sampleRoute } from "../support/samples.ts";
import { english } from "../e2e/support/english.ts";
import { HOSTILE_SAMPLES, UNSEEN } from "./hostile-samples.ts";
import { brokenLimits } from "./message-limits.ts";
import { readMessage } from "./read-message.ts";

const GUILD = "1180000000000000001";
const OWNER = "1180000000000000011";
const ADMIN = "1180000000000000013";
const ENDS: readonly OfferEnd[] = ["accepted", "refused", "expired", "unreached"];

const offer = (keyLast4: string, locale: Locale): KeyOffer => ({
  id: "abcdefghijklmnopqrstuv",
  guildId: GUILD,
  ownerId: OWNER,
  askedBy: ADMIN,
  keyLast4,
  locale,
  askedAt: NOW,
});

const members = (count: number, keyLast4: string, locale: Locale) => ({
  owners: Array.from({ length: count }, (_, index) => `11800000000000020${10 + index}`),
  firstPlace: 26,
  page: 1,
  pages: 9,
  offers: Array.from({ length: 30 }, () => offer(keyLast4, locale)),
  ids: { choose: "a:b:", page: (page: number) => `a:p:${page}` },
});

/** Every message about people and their keys; `text` stands for all text chosen by a stranger. */
const all = (text: string, locale: Locale): Readonly<Record<string, DeliveryPayload>> => {
  const account = sampleAccount({ keyLast4: text, reportConsent: true });
  const connection = { account, guildName: text, hasLeft: false };
  const notice = { guildId: GUILD, locale, reference: "ref a1b2c3d4", keyLast4: text };
  const route = {
    route: sampleRoute(),
    audience: { connected: 230, consenting: 2, settledDay: undefined },
    now: NOW,
    saved: false,
    emptyChoiceId: "a:e:",
    alerts: "none",
    members: members(25, text, locale),
    locale,
  } as const;
  const losses = { proofs: 3, pixKeys: 2, alertChoice: true, disputes: 2, dueAt: NOW };
  const leaving = { account, losses, locale };
  const ids = { disconnect: "a:d:", stop: "a:s:", keep: "a:k:" };
  return {
    connections: connectionsView(
      Array.from({ length: 25 }, () => connection).map((facts, index) => ({
        ...facts,
        account: { ...account, guildId: `11800000000000010${10 + index}` },
      })),
      5,
      "a:c:",
      locale,
    ),
    question: disconnectFromQuestion({ ...leaving, unfinished: undefined }, text, ids),
    unfinished: disconnectFromQuestion({ ...leaving, unfinished: { opId: "W-AB2CD" } }, text, ids),
    disconnected: disconnectedFromView(GUILD, text, locale),
    agreed: reportConsentView(true, GUILD, text, locale),
    stopped: reportConsentView(false, GUILD, text, locale),
    settings: reportRouteView(route),
    noReport: noReportView(undefined, members(25, text, locale), locale),
    remove: removeMemberQuestion(OWNER, { remove: "a:r:", back: "a:p:" }, locale),
    removed: memberRemovedView(OWNER, locale),
    asked: memberAskedView(offer(text, locale), locale),
    accepted: offerAnsweredView("accepted", locale),
    refused: offerAnsweredView("refused", locale),
    removedNotice: removedNotice({ ...notice, adminId: ADMIN, unfinished: undefined }),
    removedUnfinished: removedNotice({
      ...notice,
      adminId: ADMIN,
      unfinished: { opId: undefined },
    }),
    left: leftServerNotice({ ...notice, guildName: text, noticedAt: NOW }),
    offer: keyOfferQuestion(offer(text, locale), {
      locale,
      reference: "ref a1b2c3d4",
      presentLast4: text,
    }),
    ...Object.fromEntries(
      ENDS.map((how) => [how, keyOfferEndNotice(offer(text, locale), how, "ref a1b2c3d4")]),
    ),
  };
};

describe("S14, S18: messages about people and their keys", () => {
  test.each(["pt-BR", "en-US"] as const)("in %s fit, and are of that language", (locale) => {
    for (const [name, message] of Object.entries(all("9x2z", locale))) {
      expect([name, brokenLimits(message)]).toEqual([name, []]);
      if (locale === "en-US") english(readMessage(message).join("\n"));
    }
  });

  test.each(Object.entries(HOSTILE_SAMPLES))(
    "show a server or a key called by %s in code alone, and in no label or title",
    (_, text) => {
      for (const message of Object.values(all(text, "pt-BR"))) {
        const outside = JSON.stringify(message).replace(/`[^`]*`/g, "");
        expect(outside).not.toMatch(/z\W*q\W*x/);
        expect(readMessage(message).join("").replaceAll("\n", "")).not.toMatch(UNSEEN);
        expect(brokenLimits(message)).toEqual([]);
        expect(JSON.stringify(message.components ?? [])).not.toContain("zqx");
      }
    },
  );

  test("name a server by the end of its id where Discord does not tell its name", () => {
    expect(readMessage(disconnectedFromView(GUILD, undefined, "pt-BR"))[1]).toContain("`…0001`");
  });

  test("the question about a key shows both ends, who asks, and until when", () => {
    const shown = readMessage(
      keyOfferQuestion(offer("wxyz", "pt-BR"), {
        locale: "pt-BR",
        reference: "ref a1b2c3d4",
        presentLast4: "9x2z",
      }),
    );
    expect(shown[1]).toMatch(new RegExp(`<@${ADMIN}>[^]*<t:1795284000:F>`));
    expect(shown.slice(2, 4)).toEqual(["Chave de agora: `…9x2z`", "Chave nova: `…wxyz`"]);
  });
});
