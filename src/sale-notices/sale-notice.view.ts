import type {
  DeliveryPayload,
  DeliveryTarget,
  LostChannelFacts,
  ChosenChannelFacts,
} from "../delivery/delivery.ts";
import { LATE_MS, type SaleEvent, type SaleGroup, type SaleNotice } from "./sale-notice.ts";
import { inBrasilia } from "../shared/local-time.ts";
import type { Locale } from "../shared/locale.ts";
import { type SaleTexts, saleTexts } from "./texts.ts";
import { inline } from "../ui/embed.ts";
import { post } from "../ui/reply.ts";
import { chosenChannelPost, lostChannelPost } from "../ui/settings.ts";
import { keyEnd, NAME_LENGTH, ofKey, person, safe, fullTime, together } from "../ui/format.ts";

interface SaleNoticeFacts {
  readonly notice: SaleNotice;
  /** The seller. */
  readonly ownerId: string;
  /** End of the key, for its owner alone, who gets the notices of several wallet accounts. */
  readonly directKey?: string | undefined;
  readonly target: DeliveryTarget;
  readonly now: Temporal.Instant;
  readonly locale: Locale;
  /** Mark by which the message is found again. */
  readonly reference: string;
}

const headOf = ({ kind, at }: SaleEvent, isLate: boolean, { saleNotices }: SaleTexts): string => {
  const named = saleNotices.named[kind];
  return isLate && at !== undefined ? saleNotices.late(named, fullTime(at)) : named;
};

const singleLine = (
  event: SaleEvent,
  isLate: boolean,
  seller: string,
  texts: SaleTexts,
): string => {
  const { saleNotices, format } = texts;
  const { kind, amount, net, product } = event;
  const isNetShown = kind === "sale" && net !== undefined;
  const money = [
    `**${format.reais(amount)}**`,
    ...(isNetShown ? [saleNotices.net(format.reais(net))] : []),
  ].join(" ");
  const name = product === undefined ? saleNotices.noProduct : safe(product, NAME_LENGTH);
  return `${headOf(event, isLate, texts)}: ${together(name, money, seller)}`;
};

const momentOf = (at: Temporal.Instant, { format }: SaleTexts): string =>
  format.dayAndHour(inBrasilia(at));

const isOneMinute = (from: Temporal.Instant, until: Temporal.Instant, texts: SaleTexts): boolean =>
  momentOf(from, texts) === momentOf(until, texts);

const timeOf = ({ why, from, until }: SaleGroup, texts: SaleTexts): string => {
  const { saleNotices } = texts;
  if (why === "minute") return saleNotices.inOneMinute;
  if (why === "doubtful" || from === undefined || until === undefined) return "";
  return isOneMinute(from, until, texts)
    ? saleNotices.within(fullTime(until))
    : saleNotices.between(fullTime(from), fullTime(until));
};

const groupLine = (group: SaleGroup, seller: string, texts: SaleTexts): string => {
  const { saleNotices, format } = texts;
  const { of, count, total, why } = group;
  const head = [`**${saleNotices.counted[of](count)}**`, timeOf(group, texts)]
    .filter((part) => part !== "")
    .join(" ");
  const sum = total === undefined ? undefined : `**${format.reais(total)}**`;
  const remark = {
    minute: undefined,
    late: undefined,
    report: saleNotices.byReport,
    doubtful: saleNotices.doubtful,
  }[why];
  return together(head, sum, seller, remark);
};

const timeAlone = (
  { why, from, until }: SaleGroup,
  isLate: boolean,
  now: Temporal.Instant,
  texts: SaleTexts,
): string => {
  const { saleNotices } = texts;
  if (from === undefined || until === undefined)
    return isLate && why !== "doubtful" ? saleNotices.lateAlone(momentOf(now, texts)) : "";
  const isOfLong = why === "late" || why === "report";
  if (isOfLong && !isOneMinute(from, until, texts))
    return saleNotices.lateGroupAlone(momentOf(from, texts), momentOf(until, texts));
  return isOfLong || (why === "minute" && isLate)
    ? saleNotices.lateAlone(momentOf(until, texts))
    : "";
};

/** `now`: of the look that found them, which is told of news without a time. */
const aloneOf = (
  notice: Exclude<SaleNotice, { readonly kind: "gap" }>,
  isLate: boolean,
  now: Temporal.Instant,
  texts: SaleTexts,
): string => {
  const { saleNotices, format } = texts;
  if (notice.kind === "single") {
    const { kind, amount, at } = notice.event;
    // Who reads the notification would take it for a sale of now.
    const time = isLate ? saleNotices.lateAlone(momentOf(at ?? now, texts)) : "";
    return saleNotices.alone(saleNotices.named[kind], format.reais(amount), time);
  }
  const { of, count, total, why } = notice.group;
  const told = saleNotices.groupAlone(
    saleNotices.counted[of](count),
    total === undefined ? undefined : format.reais(total),
    timeAlone(notice.group, isLate, now, texts),
  );
  // Who reads the notification alone would count them twice.
  return why === "doubtful" ? saleNotices.doubtfulAlone(told) : told;
};

/** One line about a sale, a refund, several, or a gap in the list. A channel learns who sold, and never who paid. */
export const saleNoticePost = (facts: SaleNoticeFacts): DeliveryPayload => {
  const { notice, target, locale, reference, directKey } = facts;
  const texts = saleTexts(locale);
  const fields = directKey === undefined ? [] : [inline(texts.common.key, keyEnd(directKey))];
  // In direct messages the reader is the seller.
  const seller = target.kind === "channel" ? person(facts.ownerId) : "";
  if (notice.kind === "gap") {
    const { saleNotices } = texts;
    const { from, until } = notice.gap;
    return post({
      tone: "warning",
      sentence: ofKey(saleNotices.gapAlone, { directKey, hasOthers: true }, texts),
      description: together(seller, saleNotices.gap(fullTime(from), fullTime(until))),
      fields,
      reference,
    });
  }
  const isRefund =
    notice.kind === "single" ? notice.event.kind === "refund" : notice.group.of === "refund";
  const told = (isLate: boolean): string =>
    ofKey(aloneOf(notice, isLate, facts.now, texts), { directKey, hasOthers: true }, texts);
  return {
    // Discord may take it hours later.
    lateContent: told(true),
    ...post({
      tone: isRefund ? "warning" : "accent",
      sentence: told(notice.kind === "single" && notice.isLate),
      description:
        notice.kind === "single"
          ? singleLine(notice.event, notice.isLate, seller, texts)
          : groupLine(notice.group, seller, texts),
      fields,
      readAt: (notice.kind === "single" ? notice.event.at : notice.group.until) ?? facts.now,
      reference,
    }),
  };
};

/** A notice in the words of the instant of posting. */
export const saleNoticeAt = (payload: DeliveryPayload, now: Temporal.Instant): DeliveryPayload => {
  const { content, lateContent = content, embeds: [{ timestamp } = {}] = [] } = payload;
  const isLate =
    timestamp !== undefined &&
    now.epochMilliseconds - Temporal.Instant.from(timestamp).epochMilliseconds > LATE_MS;
  return isLate && lateContent !== undefined ? { ...payload, content: lateContent } : payload;
};

/** To a seller who chose the server's channel: notices of sales from the minimum on are posted in this one from now on. */
export const saleMoveNotice = (facts: ChosenChannelFacts): DeliveryPayload => {
  const texts = saleTexts(facts.locale);
  const { move } = texts.saleNotices;
  const from = facts.minimum ? texts.format.reais(facts.minimum) : undefined;
  const text = (server: string, channel: string) => move.text(server, channel, from);
  return chosenChannelPost(facts, { ...move, text }, texts);
};

/** Tells sellers and the admin that the channel of sale notices is gone or closed to the bot. */
export const saleChannelLostNotice = (facts: LostChannelFacts): DeliveryPayload => {
  const texts = saleTexts(facts.locale);
  return lostChannelPost(facts, texts.saleNotices, texts);
};
