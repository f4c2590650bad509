import { describe, expect, test } from "vitest";
import type { DeliveryPayload } from "#src/delivery/delivery.ts";
import type { Locale } from "#src/shared/locale.ts";
import {
  channelLostNotice,
  connectedForYouNotice,
  keyOfferEndNotice,
  keyOfferQuestion,
  keyAcceptedNotice,
  keyRefusedNotice,
  leftServerNotice,
  removedNotice,
  sharedAccountNotice,
  rejectedReportNotice,
  uncertainReportNotice,
} from "#src/accounts/notices.view.ts";
import { offerAcceptedView, offerRefusedView } from "#src/accounts/connections.view.ts";
import { alertChannelLostNotice } from "#src/disputes/dispute-alert.view.ts";
import { saleChannelLostNotice } from "#src/sale-notices/sale-notice.view.ts";
import { NOW, sampleAccount } from "../support/samples.ts";
import { losses } from "../ui/hostile-views.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { readMessage } from "../ui/read-message.ts";

const GUILD = "1180000000000000001";
const CHANNEL = "1180000000000000102";

const all = (locale: Locale): Readonly<Record<string, DeliveryPayload>> => {
  const facts = { guildId: GUILD, locale, reference: "ref a1b2c3d4" };
  const keyed = { ...facts, keyLast4: "9x2z", elsewhere: 0 };
  const lost = { ...facts, channelId: CHANNEL, noticedAt: NOW };
  return {
    channelLost: channelLostNotice(lost),
    alertChannelLost: alertChannelLostNotice(lost),
    saleChannelLost: saleChannelLostNotice(lost),
    keyRefused: keyRefusedNotice({
      ...keyed,
      isLast: true,
      noticedAt: NOW,
      requestId: "req-1",
    }),
    oneKeyRefused: keyRefusedNotice({ ...keyed, isLast: false, noticedAt: NOW }),
    keyAccepted: keyAcceptedNotice({ ...keyed, readAt: NOW }),
    uncertain: uncertainReportNotice({
      ...facts,
      channelId: CHANNEL,
      day: Temporal.PlainDate.from("2026-03-09"),
    }),
    rejected: rejectedReportNotice({
      ...facts,
      channelId: CHANNEL,
      day: Temporal.PlainDate.from("2026-03-09"),
    }),
    connected: connectedForYouNotice({
      ...facts,
      account: sampleAccount({ connectedBy: "119" }),
      beginsAlerts: true,
    }),
    shared: sharedAccountNotice({ ...facts, account: sampleAccount() }),
  };
};
const text = (name: string, locale: Locale = "pt-BR") => readMessage(all(locale)[name]).join("\n");

describe("a notice", () => {
  test.each(["pt-BR", "en-US"] as const)(
    "in %s fits, leads to its server and carries its mark",
    (locale) => {
      for (const notice of Object.values(all(locale))) {
        expect(brokenLimits(notice)).toEqual([]);
        const lines = readMessage(notice);
        expect(lines[1]).toContain(`(https://discord.com/channels/${GUILD})`);
        expect(lines).toContain("Balcão · ref a1b2c3d4");
      }
    },
  );

  test("of a lost channel names it and says what becomes of the reports", () => {
    expect(text("channelLost")).toMatch(/<#1180000000000000102>[\s\S]*guardado por 7 dias/);
  });

  test("of a refused key shows its end, the way back and the support code", () => {
    expect(text("keyRefused")).toMatch(/\/conta conectar[\s\S]*`…9x2z`[\s\S]*`req-1`/);
  });

  test("of a refused key names all that waits for it, and no report that may never have been", () => {
    expect(text("keyRefused")).toContain(
      "também o de um saque feito fora daqui, e o andamento das suas cobranças",
    );
    expect(text("keyRefused")).not.toContain("o seu relatório diário parou");
    expect(text("keyRefused", "en-US")).toContain(
      "also the one of a withdrawal made elsewhere. Your open charges can still be paid, but I cannot see it",
    );
    expect(text("keyRefused", "en-US")).not.toContain("your daily report is on hold");
  });

  test("of a refused key holds back no alerts, which go on by the last reading", () => {
    expect(text("keyRefused")).toContain("lembretes de MED que ainda saírem seguem o que vi");
    expect(text("keyRefused", "en-US")).toContain("reminders that still come go by what I saw");
  });

  test("of one refused key says that another one follows the charges", () => {
    expect(text("oneKeyRefused")).toContain(
      "os saques feitos fora daqui, e acompanho as suas cobranças. Até esta voltar, podem ficar parados, nos servidores em que ela está, o relatório e os avisos de venda.",
    );
    expect(text("oneKeyRefused", "en-US")).toContain(
      "the withdrawals made elsewhere, and I follow your charges. Until this one works again, the report and the sale notices may be on hold in the servers where it is connected.",
    );
  });

  const left = (locale: Locale, given: Partial<Parameters<typeof leftServerNotice>[0]> = {}) => {
    const facts = { guildId: GUILD, guildName: "Loja", locale, reference: "ref a1b2c3d4" };
    const choice = { dailyReport: true, alerts: "direct", saleNotices: false } as const;
    const own = { keyLast4: "9x2z", noticedAt: NOW, ...choice, ...given };
    const notice = leftServerNotice({ ...facts, ...own });
    return [notice.content, ...readMessage(notice)].join("\n");
  };

  test("of a server that was left says by when the report is posted again after a return", () => {
    expect(left("pt-BR")).toContain("o relatório volta a sair, no máximo no dia seguinte");
    expect(left("en-US")).toContain("is posted again by the next day at the latest");
  });

  test.each([
    ["pt-BR", /relatório/, "Alertas de MED: Vão por mensagem direta.", "não aviso nada dos seus"],
    [
      "en-US",
      /report/,
      "MED alerts: Sent to you by direct message.",
      "I tell you nothing about your",
    ],
  ] as const)(
    "of a server that was left tells in %s of no report and no alert that there are not",
    (locale, report, direct, off) => {
      expect(left(locale)).toMatch(report);
      expect(left(locale, { dailyReport: false })).not.toMatch(report);
      expect(left(locale)).toContain(direct);
      expect(left(locale)).not.toContain(off);
      expect(left(locale, { alerts: "off" })).toContain(off);
      expect(left(locale, { alerts: "off" })).not.toContain(direct);
      expect(left(locale, { alerts: undefined })).not.toMatch(/MED/);
    },
  );

  test.each([
    ["pt-BR", "Os avisos das suas vendas pararam de sair lá."],
    ["en-US", "The notices of your sales are not posted there any more."],
  ] as const)(
    "of a server that was left tells in %s of sale notices where they went to its channel",
    (locale, words) => {
      for (const dailyReport of [true, false]) {
        expect(left(locale, { dailyReport, saleNotices: true })).toContain(words);
        expect(left(locale, { dailyReport })).not.toContain(words);
      }
    },
  );

  test.each([
    ["pt-BR", "turbo", 0, "O saque `W-AB2CD` ainda não terminou", "acompanhá-lo: "],
    ["pt-BR", "refund", 1, "O estorno `W-AB2CD` e mais 1 ainda não terminaram", "acompanhá-los: "],
    ["en-US", "refund", 0, "The refund `W-AB2CD` has not ended yet", "follow it: "],
    ["en-US", "split_turbo", 2, "The withdrawal `W-AB2CD` and 2 more have not", "follow them: "],
  ] as const)(
    "of a removal by an admin tells in %s of a %s under way and %d more",
    (locale, kind, others, words, follow) => {
      const facts = { guildId: GUILD, locale, reference: "ref a1b2c3d4", keyLast4: "9x2z" };
      const unfinished = { opId: "W-AB2CD", kind, others };
      const notice = removedNotice({ ...facts, adminId: "119", unfinished, losses });
      expect(readMessage(notice).join("\n")).toContain(words);
      expect(readMessage(notice).join("\n")).toContain(follow);
    },
  );

  test("of an uncertain report says how to read the same figures, day first in any language", () => {
    expect(text("uncertain")).toContain("`/vendas data:09/03/2026`");
    expect(text("uncertain", "en-US")).toContain("`/vendas date:09/03/2026`");
    expect(text("uncertain")).toContain("não vou repetir");
  });

  test("of a key that an admin connected names the admin and leaves the consent to its owner", () => {
    expect(text("connected")).toMatch(/<@119>[\s\S]*\/conta desconectar[\s\S]*sem o seu aceite/);
  });
});

test.each([
  ["pt-BR", "a mesma chave que você já tem nele", "por outra"],
  ["en-US", "the same key that you already have in it", "with another"],
] as const)("an offer of the present key says so, in %s", (locale, words, other) => {
  const parts = { id: "o1", guildId: GUILD, ownerId: "118", askedBy: "119", keyLast4: "9x2z" };
  const facts = { locale, reference: "ref a1b2c3d4", presentLast4: "9x2z" };
  const offered = (isSame: boolean) =>
    readMessage(keyOfferQuestion({ ...parts, locale, askedAt: NOW }, { ...facts, isSame })).join();
  expect(offered(true)).toContain(words);
  expect(offered(true)).not.toContain(other);
  expect(offered(false)).toContain(other);
});

test.each([
  ["pt-BR", /chave nova|continua conectada|neste servidor/],
  ["en-US", /new key|stays connected|in this server/],
] as const)(
  "the answer to an offer, also of the present key, is true of it, in %s",
  (locale, no) => {
    const offer = { id: "o1", guildId: GUILD, ownerId: "118", askedBy: "119", keyLast4: "9x2z" };
    const ends = (
      ["accepted", "refused", "expired", "unreached", "unreadable", "replaced"] as const
    ).map((how) => keyOfferEndNotice({ ...offer, locale, askedAt: NOW }, how, "ref a1b2c3d4"));
    const answers = [offerAcceptedView(undefined, locale), offerRefusedView(locale)];
    for (const told of [...ends, ...answers]) expect(readMessage(told).join("\n")).not.toMatch(no);
  },
);
