import { typedDay } from "../domain/report-day.ts";
import type { DeliveryPayload } from "../domain/delivery.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor, type Texts } from "../texts/texts.ts";
import { inline, line } from "./embed.ts";
import { keyEnd } from "./key-end.ts";
import { channel, person } from "./mention.ts";
import { post } from "./post.ts";
import { safe } from "./safe.ts";
import { fullAndRelative } from "./timestamp.ts";

const SUPPORT_CODE_LENGTH = 100;

export interface NoticeFacts {
  readonly guildId: string;
  /** Language of the guild. */
  readonly locale: Locale;
  /** Mark by which the message is found again. */
  readonly reference: string;
}

/** A direct message does not say which server it is about, so each notice ends with the way there. */
export const toServer = (guildId: string, { notices }: Texts): string =>
  `[${notices.openServer}](https://discord.com/channels/${guildId})`;

/** To the owners of a route: its channel cannot be posted to any more. */
export const channelLostNotice = (
  facts: NoticeFacts & { readonly channelId: string; readonly noticedAt: Temporal.Instant },
): DeliveryPayload => {
  const texts = textsFor(facts.locale);
  const { notices } = texts;
  return post({
    tone: "warning",
    sentence: notices.channelLostAlone,
    title: notices.channelLost,
    description: `${notices.channelLostText(channel(facts.channelId))}\n\n${toServer(facts.guildId, texts)}`,
    fields: [inline(notices.noticedAt, fullAndRelative(facts.noticedAt))],
    reference: facts.reference,
  });
};

/** To the owner of a key that the service refuses (401): the key's jobs wait. */
export const keyRefusedNotice = (
  facts: NoticeFacts & {
    readonly keyLast4: string;
    readonly noticedAt: Temporal.Instant;
    /** `X-Request-ID` of the refusal. */
    readonly requestId?: string | undefined;
  },
): DeliveryPayload => {
  const texts = textsFor(facts.locale);
  const { notices, errorLabels } = texts;
  return post({
    tone: "warning",
    sentence: notices.keyRefusedAlone,
    title: notices.keyRefused,
    description: `${notices.keyRefusedText}\n\n${toServer(facts.guildId, texts)}`,
    fields: [
      inline(notices.key, keyEnd(facts.keyLast4)),
      inline(notices.noticedAt, fullAndRelative(facts.noticedAt)),
      ...(facts.requestId === undefined
        ? []
        : [line(errorLabels.supportCode, safe(facts.requestId, SUPPORT_CODE_LENGTH))]),
    ],
    reference: facts.reference,
  });
};

/** To the owner of a report of which it cannot be told whether it was posted. */
export const uncertainReportNotice = (
  facts: NoticeFacts & { readonly channelId: string; readonly day: Temporal.PlainDate },
): DeliveryPayload => {
  const texts = textsFor(facts.locale);
  const { notices, format } = texts;
  const explained = `${notices.uncertainReportText(channel(facts.channelId))} ${notices.sameFigures(`\`/vendas data:${typedDay(facts.day)}\``)}`;
  return post({
    tone: "warning",
    sentence: notices.uncertainReportAlone(facts.day),
    title: notices.uncertainReport,
    description: `${explained}\n\n${toServer(facts.guildId, texts)}`,
    fields: [
      inline(notices.day, format.date(facts.day)),
      inline(notices.channel, channel(facts.channelId)),
    ],
    reference: facts.reference,
  });
};

/** To a member for whom an admin connected a key. */
export const connectedForYouNotice = (
  facts: NoticeFacts & {
    readonly adminId: string;
    readonly keyLast4: string;
    readonly connectedAt: Temporal.Instant;
  },
): DeliveryPayload => {
  const texts = textsFor(facts.locale);
  const { notices, account } = texts;
  return post({
    sentence: notices.connectedForYouAlone,
    title: notices.connectedForYou,
    description: `${notices.connectedForYouText(person(facts.adminId))}\n\n${notices.consentIsYours}\n\n${toServer(facts.guildId, texts)}`,
    fields: [
      inline(notices.key, keyEnd(facts.keyLast4)),
      inline(account.since, fullAndRelative(facts.connectedAt)),
    ],
    reference: facts.reference,
  });
};
