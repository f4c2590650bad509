import type { APIEmbedField } from "discord-api-types/v10";
import {
  type Charge,
  type ChargeState,
  expectedFee,
  isOtherFee,
  isPayable,
  chargeLiveName,
  chargeLiveState,
} from "./charge.ts";
import { connectButton } from "../accounts/account.view.ts";
import { accountTexts } from "../accounts/texts.ts";
import type { DeliveryPayload } from "../delivery/delivery.ts";
import { cents } from "../shared/money.ts";
import type { Locale } from "../shared/locale.ts";
import { inline, line, supportCodeFields } from "../ui/embed.ts";
import {
  channel,
  CODE_LENGTH,
  fullAndRelative,
  person,
  plainLine,
  safe,
  fullTime,
  serverLink,
  STORY_LENGTH,
} from "../ui/format.ts";
import {
  type ButtonParts,
  buttonRow,
  customIdOf,
  post,
  reply,
  type Reply,
  type ReplyFile,
} from "../ui/reply.ts";
import { QR_FILE } from "./qr-code.ts";
import { type ChargeTexts, chargeTexts } from "./texts.ts";

/** Custom ids in the form of `discord/command.ts`, by the charge's id; `commands/cobrar.ts` handles them. */
const chargeIds = {
  publish: customIdOf("cobrar", "publicar"),
  copy: customIdOf("cobrar", "codigo"),
} as const;

/** A charge as its seller sees it. */
export interface ChargeFacts {
  readonly charge: Charge;
  /** Picture of the code; undefined for a charge that cannot be paid. */
  readonly qr: Uint8Array | undefined;
  /**
   * The card was asked for just now; `sent`: it was posted before; `unclear`: an earlier one may be in the channel;
   * `late`: it is not posted, as the charge's time is over.
   */
  readonly published?: "soon" | "sent" | "unclear" | "late";
  /** False where its seller may not write in the channel, so that no button to publish it is shown. */
  readonly mayPublish?: boolean;
  /** Why there is no charge, in the service's words: text of a stranger. */
  readonly said?: string | undefined;
  /** The service refused the key itself, so that asking again helps only with another. */
  readonly isKeyRefused?: boolean;
  readonly retryAfterMs?: number | undefined;
  /** `X-Request-ID` of a refusal or an unclear answer: a text of a stranger, for the service's support. */
  readonly requestId?: string | undefined;
}

/** Title and text at the top of a charge's message. */
const wordsOf = (
  { charge, published, said, isKeyRefused, retryAfterMs }: Omit<ChargeFacts, "qr">,
  { charges, format }: ChargeTexts,
): readonly [title: string, text: string] => {
  const { state, code, problem, txid, received, endedAt, createdAt } = charge;
  const amount = format.reais(charge.amount);
  const waitFor =
    retryAfterMs === undefined ? undefined : charges.waitFor(format.wait(retryAfterMs));
  switch (state) {
    case "open": {
      if (code === undefined) return [charges.open(amount), charges.noCode[problem ?? "no_code"]];
      const next = txid === undefined ? charges.openUnfollowed : charges.openText;
      const posted = published === undefined ? [] : [charges.published[published]];
      // Past its time the code is not to be shown.
      return [charges.open(amount), (published === "late" ? posted : [next, ...posted]).join("\n")];
    }
    case "paid":
      return [charges.paid(amount), charges.paidText(fullAndRelative(endedAt ?? createdAt))];
    case "refunded":
      return [charges.refunded(amount), charges.refundedText];
    case "expired":
      return [charges.expired(amount), charges.expiredText];
    case "unfollowed":
      return received === undefined
        ? [charges.unfollowed(amount), charges.unfollowedText]
        : [charges.other(format.reais(received)), charges.otherText(amount)];
    case "creating":
      return [charges.creating, charges.creatingText];
    case "unknown":
      return [charges.unknown, charges.unknownText];
    case "missing":
      return problem === "unclear"
        ? [charges.unclear, charges.noCode.unclear]
        : [charges.missing, charges.missingText];
    case "rejected": {
      const refused = said === undefined ? charges.rejectedSilentText : charges.rejectedText;
      return [
        charges.rejected,
        isKeyRefused === true ? charges.rejectedKeyText : (waitFor ?? refused),
      ];
    }
    case "not_sent":
      return [charges.notSent, waitFor ?? charges.notSentText];
    default:
      return state satisfies never;
  }
};

const headOf = (facts: Omit<ChargeFacts, "qr">, texts: ChargeTexts) => {
  const [title, description] = wordsOf(facts, texts);
  const { code, state } = facts.charge;
  const isWell = state === "paid" || (state === "open" && code !== undefined);
  return { tone: isWell ? "accent" : "warning", title, description } as const;
};

/** States in which its money has come, or may still come to the seller. */
const ARRIVES: ReadonlySet<ChargeState> = new Set(["creating", "unknown", "open", "paid"]);

/** A payment of another amount has a net unless it was refunded. */
const arrives = ({ state, received, net }: Charge): boolean =>
  ARRIVES.has(state) || (received !== undefined && net !== undefined);

/** The service's fee and net as they came; without them the documented 6 %. Source: service.md 1. */
const netField = (charge: Charge, { charges, format }: ChargeTexts): APIEmbedField => {
  const { fee, net } = charge;
  const amount = charge.received ?? charge.amount;
  const expected = expectedFee(amount);
  if (fee === undefined && net === undefined) {
    const words = charges.expected(format.reais(cents(amount - expected)), format.reais(expected));
    return inline(charges.youGet, words);
  }
  const taken = fee ?? cents(amount - (net ?? amount));
  const left = format.reais(net ?? cents(amount - taken));
  return inline(
    charges.youGet,
    isOtherFee(amount, taken)
      ? charges.toldOther(left, format.reais(taken), format.reais(expected))
      : charges.told(left, format.reais(taken)),
  );
};

/** The code holds no back-ticks, and stays as it is: `safe` would join its spaces. */
const codeField = (code: string, { charges }: ChargeTexts): APIEmbedField =>
  line(charges.code, `\`${code}\``);

/** The code alone, as a phone copies it. */
export const codeView = (code: string): Reply => ({
  kind: "reply",
  // Outside of a block Discord would read these characters as links, mentions or emphasis, whose marks it hides.
  content: /[<@[\]()|~_\\]|:\/|\*[^*]+\*/.test(code) ? `\`\`\`\n${code}\n\`\`\`` : code,
});

/** The picture of the code, for a message; `description`: undefined for a card that an older version has queued. */
export const qrFile = (data: Uint8Array, description: string | undefined): ReplyFile => ({
  name: QR_FILE,
  contentType: "image/png",
  ...(description !== undefined && { description }),
  data,
});

/** The seller's private message, through all states of the charge. */
export const chargeView = (facts: ChargeFacts, locale: Locale): Reply => {
  const { charge, qr } = facts;
  const said = plainLine(facts.said ?? "", STORY_LENGTH) === "" ? undefined : facts.said;
  const texts = chargeTexts(locale);
  const { charges, format } = texts;
  const payable = isPayable(charge) && qr !== undefined;
  const buttons: readonly ButtonParts[] = [
    ...(charge.card !== undefined || facts.mayPublish === false
      ? []
      : [{ id: chargeIds.publish(charge.id), label: charges.publish, style: "primary" as const }]),
    { id: chargeIds.copy(charge.id), label: charges.copy, style: "secondary" },
  ];
  const shown = reply(
    {
      ...headOf({ ...facts, said }, texts),
      picture: payable ? QR_FILE : undefined,
      fields: [
        inline(charges.amount, format.reais(charge.amount)),
        ...(arrives(charge) ? [netField(charge, texts)] : []),
        line(charges.description, safe(charge.description, STORY_LENGTH)),
        ...(said === undefined ? [] : [line(charges.said, safe(said, STORY_LENGTH))]),
        ...(payable && charge.expiresAt !== undefined
          ? [line(charges.validUntil, fullAndRelative(charge.expiresAt))]
          : []),
        ...(charge.txid === undefined ? [] : [line(charges.txid, safe(charge.txid, CODE_LENGTH))]),
        ...supportCodeFields(facts.requestId === undefined ? [] : [facts.requestId], texts),
      ],
    },
    ...(payable ? [buttonRow(...buttons)] : []),
    ...(facts.isKeyRefused === true ? [buttonRow(connectButton(accountTexts(locale)))] : []),
  );
  return {
    ...shown,
    live: { name: chargeLiveName(charge, facts.mayPublish), state: chargeLiveState(charge) },
    ...(payable && { files: [qrFile(qr, charges.picture(format.reais(charge.amount)))] }),
  };
};

/** The message as it may stand: with the button to publish the card, or without it. */
export const liveChargeViews = (
  facts: Pick<ChargeFacts, "charge" | "qr">,
  locale: Locale,
): readonly Reply[] =>
  [true, false].map((mayPublish) => chargeView({ ...facts, mayPublish }, locale));

/** The first answer: the message, and the code alone after it. */
export const newChargeView = (facts: ChargeFacts, locale: Locale): Reply => {
  const { charge } = facts;
  const shown = chargeView(facts, locale);
  return isPayable(charge) ? { ...shown, further: codeView(charge.code) } : shown;
};

/** The card in a channel: never a payer, and no fee, which is the seller's own. */
export const chargePost = (charge: Charge, reference: string): DeliveryPayload => {
  const texts = chargeTexts(charge.cardLocale);
  const { charges, format } = texts;
  const { state, expiresAt, endedAt, createdAt } = charge;
  const amount = format.reais(charge.amount);
  // The bot itself posts the card: who pays it must know that the charge is a member's.
  const seller = line(charges.seller, person(charge.ownerId));
  const description = line(charges.description, safe(charge.description, STORY_LENGTH));
  if (!isPayable(charge)) {
    const at = fullTime(endedAt ?? createdAt);
    const ends: Partial<Record<ChargeState, readonly [title: string, text: string]>> = {
      paid: [charges.paid(amount), charges.cardPaid(at)],
      refunded: [charges.refunded(amount), charges.cardRefunded],
      expired: [charges.expired(amount), charges.cardExpired],
    };
    const [title, text] = ends[state] ?? [charges.open(amount), charges.cardUnfollowed];
    return post({
      reference,
      sentence: title,
      tone: state === "paid" ? "accent" : "warning",
      title,
      description: text,
      // Both are empty once the seller's data was erased.
      fields: charge.ownerId === "" ? [] : [description, seller],
    });
  }
  const shown = post(
    {
      reference,
      sentence: charges.open(amount),
      title: charges.open(amount),
      picture: QR_FILE,
      fields: [
        description,
        seller,
        ...(expiresAt === undefined ? [] : [line(charges.validUntil, fullAndRelative(expiresAt))]),
        codeField(charge.code, texts),
      ],
    },
    buttonRow({ id: chargeIds.copy(charge.id), label: charges.copy, style: "secondary" }),
  );
  const { id, code } = charge;
  return { ...shown, charge: { id, code, inWords: charges.picture(amount) } };
};

/** A message to the seller, with the charge's amount and description, and its code while it can be paid. */
const sellerMessage = (
  charge: Charge,
  texts: ChargeTexts,
  parts: Omit<Parameters<typeof post>[0], "fields">,
): DeliveryPayload => {
  const { charges, format } = texts;
  const payable = isPayable(charge) ? charge : undefined;
  const message = post({
    ...parts,
    fields: [
      inline(charges.amount, format.reais(charge.amount)),
      line(charges.description, safe(charge.description, STORY_LENGTH)),
      ...(payable ? [codeField(payable.code, texts)] : []),
    ],
  });
  return { ...message, ...(payable && { payable: charge.id }) };
};

/** One line to the seller by direct message: the charge ended, or a lost one was found or not. */
export const chargeNotice = (charge: Charge, reference: string): DeliveryPayload => {
  const texts = chargeTexts(charge.locale);
  const { charges } = texts;
  const head = headOf({ charge }, texts);
  const found = charge.state === "open";
  const isFollowed = isPayable(charge) && charge.txid !== undefined;
  const told = isFollowed ? charges.foundText : head.description;
  return sellerMessage(charge, texts, {
    reference,
    ...head,
    sentence: found ? charges.found : head.title,
    ...(found && { title: charges.found }),
    // Another charge can be made there alone.
    description: `${told}\n\n${serverLink(charge.guildId, texts)}`,
  });
};

/** The card could not be posted, or may not have been. */
export const unpostedNotice = (
  charge: Charge,
  reference: string,
  why: "channel_lost" | "refused" | "refused_later" | "unclear",
): DeliveryPayload => {
  const texts = chargeTexts(charge.locale);
  const { charges } = texts;
  const mayStand = why === "unclear" || why === "refused_later";
  const title = mayStand ? charges.unsure : charges.unposted;
  const [, ending] = wordsOf({ charge }, texts);
  const toSend = {
    channel_lost: charges.unpostedText(channel(charge.channelId)),
    refused: charges.unpostedOnceText,
    refused_later: charges.refusedLaterText(channel(charge.channelId)),
    unclear: charges.unsureText(channel(charge.channelId)),
  }[why];
  return sellerMessage(charge, texts, {
    reference,
    tone: "warning",
    sentence: title,
    title,
    description: isPayable(charge) ? toSend : ending,
  });
};
