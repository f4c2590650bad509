import { typedDay } from "../shared/report-day.ts";
import type { CloseKind } from "../closes/close.ts";
import type { Account, ConnectionLosses, UnfinishedOperations } from "./account.ts";
import type { DeliveryPayload, LostChannelFacts } from "../delivery/delivery.ts";
import type { Locale } from "../shared/locale.ts";
import { elsewhereFields, keyFields } from "./account.view.ts";
import { lossFields } from "./disconnect.view.ts";
import { accountTexts } from "./texts.ts";
import { inline, line } from "../ui/embed.ts";
import { lostChannelPost } from "../ui/settings.ts";
import {
  channel,
  CODE_LENGTH,
  fullAndRelative,
  keyEnd,
  person,
  safe,
  serverLink,
  serverName,
} from "../ui/format.ts";
import { buttonRow, customIdOf, post } from "../ui/reply.ts";
import { type KeyOffer, offerEnd, type OfferEnd } from "./wallet-key.ts";

interface NoticeFacts {
  readonly guildId: string;
  /** Language of the guild. */
  readonly locale: Locale;
  /** Mark by which the message is found again. */
  readonly reference: string;
}

/** To the owners of a report route: its channel is gone or closed to the bot. */
export const channelLostNotice = (facts: LostChannelFacts): DeliveryPayload => {
  const texts = accountTexts(facts.locale);
  return lostChannelPost(facts, texts.notices, texts);
};

/** To the owner of a key that the service refuses (401): the key's jobs wait. */
export const keyRefusedNotice = (
  facts: NoticeFacts & {
    readonly keyLast4: string;
    /** Whether the service accepts no other key of the owner for the wallet account. */
    readonly isLast: boolean;
    /** Number of the owner's other servers with the same key. */
    readonly elsewhere: number;
    readonly noticedAt: Temporal.Instant;
    /** `X-Request-ID` of the refusal. */
    readonly requestId?: string | undefined;
  },
): DeliveryPayload => {
  const texts = accountTexts(facts.locale);
  const { notices, common, errorLabels } = texts;
  const { title, alone, text } = notices.keyRefused[facts.isLast ? "last" : "one"];
  return post({
    tone: "warning",
    sentence: alone,
    title,
    description: `${text} ${notices.keyRefusedNext}\n\n${serverLink(facts.guildId, texts)}`,
    fields: [
      inline(common.key, keyEnd(facts.keyLast4)),
      ...elsewhereFields(facts.elsewhere, texts),
      ...(facts.requestId === undefined
        ? []
        : [line(errorLabels.supportCode, safe(facts.requestId, CODE_LENGTH))]),
    ],
    readAt: facts.noticedAt,
    reference: facts.reference,
  });
};

/** To the owner of a key that the service accepts again: the key's jobs go on. */
export const keyAcceptedNotice = (
  facts: NoticeFacts & { readonly keyLast4: string; readonly readAt: Temporal.Instant },
): DeliveryPayload => {
  const texts = accountTexts(facts.locale);
  const { notices, common } = texts;
  return post({
    tone: "accent",
    sentence: notices.keyAcceptedAlone,
    title: notices.keyAccepted,
    description: `${notices.keyAcceptedText}\n\n${serverLink(facts.guildId, texts)}`,
    fields: [inline(common.key, keyEnd(facts.keyLast4))],
    readAt: facts.readAt,
    reference: facts.reference,
  });
};

/** To the owner of a report that may or may not have been posted. */
export const uncertainReportNotice = (
  facts: NoticeFacts & { readonly channelId: string; readonly day: Temporal.PlainDate },
): DeliveryPayload => {
  const texts = accountTexts(facts.locale);
  const { notices, common, format } = texts;
  const explained = `${notices.uncertainReportText(channel(facts.channelId))} ${notices.sameFigures(typedDay(facts.day))}`;
  return post({
    tone: "warning",
    sentence: notices.uncertainReportAlone(facts.day),
    title: notices.uncertainReport,
    description: `${explained}\n\n${serverLink(facts.guildId, texts)}`,
    fields: [
      inline(notices.day, format.date(facts.day)),
      inline(common.channel, channel(facts.channelId)),
    ],
    reference: facts.reference,
  });
};

/** To the admin who set a report route: Discord rejects a post of it for good. `day`: the last one of a close. */
export const rejectedReportNotice = (
  facts: NoticeFacts & {
    readonly channelId: string;
    readonly day: Temporal.PlainDate;
    /** Undefined for a daily report. */
    readonly closeKind?: CloseKind | undefined;
  },
): DeliveryPayload => {
  const texts = accountTexts(facts.locale);
  const { notices } = texts;
  const { daily, close } = notices.rejectedReport;
  const { closeKind, day } = facts;
  const { title, text } = closeKind === undefined ? daily : close;
  const sentence = closeKind === undefined ? daily.alone(day) : close.alone(closeKind, day);
  return post({
    tone: "warning",
    sentence,
    title,
    description: `${sentence} ${notices.rejectedReportText(channel(facts.channelId))} ${text}\n\n${serverLink(facts.guildId, texts)}`,
    reference: facts.reference,
  });
};

/** To a member for whom an admin connected a key. */
export const connectedForYouNotice = (
  facts: Omit<NoticeFacts, "guildId"> & {
    readonly account: Account;
    /** Whether alerts begin with it, by direct message; otherwise they go as the owner chose in another server. */
    readonly beginsAlerts: boolean;
  },
): DeliveryPayload => {
  const { guildId, connectedBy, connectedAt } = facts.account;
  const texts = accountTexts(facts.locale);
  const { notices, account } = texts;
  const { consentIsYours, alertsAreYours } = notices;
  const choices = facts.beginsAlerts ? `${consentIsYours} ${alertsAreYours}` : consentIsYours;
  return post({
    sentence: notices.connectedForYouAlone,
    title: notices.connectedForYou,
    description: `${notices.connectedForYouText(person(connectedBy))}\n\n${choices}\n\n${serverLink(guildId, texts)}`,
    fields: [
      ...keyFields(facts.account, texts),
      inline(account.since, fullAndRelative(connectedAt)),
    ],
    reference: facts.reference,
  });
};

/** To an owner of a wallet account that another person connects: `account` is that person's. */
export const sharedAccountNotice = (
  facts: NoticeFacts & { readonly account: Account },
): DeliveryPayload => {
  const { ownerId, connectedBy, connectedAt } = facts.account;
  const texts = accountTexts(facts.locale);
  const { notices, account } = texts;
  const admin = connectedBy === ownerId ? undefined : person(connectedBy);
  return post({
    tone: "warning",
    sentence: notices.sharedAccountAlone,
    title: notices.sharedAccount,
    description: `${notices.sharedAccountText(person(ownerId), admin)}\n\n${serverLink(facts.guildId, texts)}`,
    fields: [inline(account.since, fullAndRelative(connectedAt))],
    reference: facts.reference,
  });
};

/** Custom ids of the buttons under these messages, which work in direct messages and after a restart. */
export const peopleIds = {
  disconnectFrom: customIdOf("conta", "qual"),
  postFrom: customIdOf("conta", "postar-em"),
  stopIn: customIdOf("conta", "parar-em"),
  acceptKey: customIdOf("conta", "trocar"),
  refuseKey: customIdOf("conta", "negar"),
} as const;

/** To an owner: an admin removed the connection. */
export const removedNotice = (
  facts: NoticeFacts & {
    readonly adminId: string;
    readonly keyLast4: string;
    /** Withdrawals under way, which the bot has stopped following. */
    readonly unfinished: UnfinishedOperations | undefined;
    readonly losses: ConnectionLosses;
  },
): DeliveryPayload => {
  const { adminId, unfinished, losses } = facts;
  const texts = accountTexts(facts.locale);
  const { people, common } = texts;
  // Proofs have a sentence of their own: they can be downloaded only before.
  const others = { ...losses, proofs: 0 };
  const said = [
    people.removedNoticeText(person(adminId), losses.directGoesOn),
    ...(losses.proofs === 0 ? [] : [people.removedProofs(losses.proofs)]),
    ...(unfinished === undefined ? [] : [people.removedUnfinished(unfinished)]),
    serverLink(facts.guildId, texts),
  ];
  return post({
    tone: "warning",
    sentence: people.removedAlone,
    title: people.removedNotice,
    description: said.join("\n\n"),
    fields: [
      inline(common.key, keyEnd(facts.keyLast4)),
      ...lossFields(people.removedLost, others, texts),
    ],
    reference: facts.reference,
  });
};

/** To an owner who has left the server. */
export const leftServerNotice = (
  facts: NoticeFacts & {
    readonly guildName: string | undefined;
    readonly keyLast4: string;
    /** Whether the owner's report went to that server's channel. */
    readonly dailyReport: boolean;
    /** Whether notices of the owner's sales went to that server's channel. */
    readonly saleNotices: boolean;
    /** Where alerts go now; undefined: the choice in another server decides. */
    readonly alerts: "direct" | "off" | undefined;
    readonly noticedAt: Temporal.Instant;
  },
): DeliveryPayload => {
  const { guildId, guildName, keyLast4, dailyReport, saleNotices, alerts, locale } = facts;
  const { account, common, people, ownAlerts } = accountTexts(locale);
  const gone = [
    people.leftNoticeText(serverName(guildId, guildName)),
    ...(dailyReport ? [people.leftReportText] : []),
    ...(saleNotices ? [people.leftSalesText] : []),
  ];
  const button = { id: peopleIds.disconnectFrom(guildId), label: account.disconnect };
  return post(
    {
      tone: "warning",
      sentence: dailyReport ? people.leftAlone : people.leftAloneWithoutReport,
      title: people.leftNotice,
      description: `${gone.join(" ")}\n\n${people.leftKeyText}`,
      fields: [
        inline(common.key, keyEnd(keyLast4)),
        ...(alerts === undefined
          ? []
          : [line(ownAlerts.yours, alerts === "off" ? ownAlerts.none : ownAlerts.direct)]),
      ],
      readAt: facts.noticedAt,
      reference: facts.reference,
    },
    buttonRow({ ...button, style: "danger" }),
  );
};

/** To an owner who connected before the server had a report channel: asks for the consent now. */
export const reportChannelNotice = (
  facts: NoticeFacts & { readonly channelId: string },
): DeliveryPayload => {
  const texts = accountTexts(facts.locale);
  const { notices, account } = texts;
  const { guildId, channelId, reference } = facts;
  return post(
    {
      sentence: notices.reportChannelAlone,
      title: notices.reportChannel,
      description: `${notices.reportChannelText(channel(channelId))}\n\n${serverLink(guildId, texts)}`,
      reference,
    },
    buttonRow(
      { id: peopleIds.postFrom(guildId), label: account.accept, style: "success" },
      { id: peopleIds.stopIn(guildId), label: account.decline, style: "secondary" },
    ),
  );
};

/** Asks a member whether a new key may replace the present one. */
export const keyOfferQuestion = (
  offer: KeyOffer,
  facts: Omit<NoticeFacts, "guildId"> & {
    readonly presentLast4: string;
    /** Whether the member has this very key, which does not work. */
    readonly isSame?: boolean;
    /** Of a key of another wallet account. */
    readonly losses?: ConnectionLosses | undefined;
  },
): DeliveryPayload => {
  const { losses } = facts;
  const texts = accountTexts(facts.locale);
  const { people, account } = texts;
  const offerText = facts.isSame === true ? people.offerOfSame : people.offerText;
  const asked = [
    offerText(person(offer.askedBy), fullAndRelative(offerEnd(offer))),
    ...(losses === undefined ? [] : [people.offerOfOtherWallet]),
    serverLink(offer.guildId, texts),
  ];
  return post(
    {
      tone: "warning",
      sentence: people.questionAlone,
      title: people.questionTitle,
      description: asked.join("\n\n"),
      fields: [
        inline(people.presentKey, keyEnd(facts.presentLast4)),
        inline(people.newKey, keyEnd(offer.keyLast4)),
        ...(losses === undefined ? [] : lossFields(account.losesToo, losses, texts)),
      ],
      reference: facts.reference,
    },
    buttonRow(
      { id: peopleIds.acceptKey(offer.id), label: people.accept, style: "success" },
      { id: peopleIds.refuseKey(offer.id), label: people.refuse, style: "secondary" },
    ),
  );
};

/** Tells the admin how the offer of a key ended. */
export const keyOfferEndNotice = (
  { guildId, ownerId, locale }: KeyOffer,
  how: OfferEnd,
  reference: string,
): DeliveryPayload => {
  const texts = accountTexts(locale);
  const { title, text } = texts.people.ends[how];
  return post({
    tone: how === "accepted" ? "accent" : "warning",
    sentence: title,
    title,
    description: `${text(person(ownerId))}\n\n${serverLink(guildId, texts)}`,
    reference,
  });
};
