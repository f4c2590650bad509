import type { APIEmbedField } from "discord-api-types/v10";
import type { Account, ConnectionLosses, Disconnection } from "./account.ts";
import type { Locale } from "../shared/locale.ts";
import { type AccountTexts, accountTexts } from "./texts.ts";
import {
  type ButtonParts,
  buttonRow,
  buttonRows,
  customIdOf,
  offeredButtons,
  reply,
  type Reply,
} from "../ui/reply.ts";
import { inline, line } from "../ui/embed.ts";
import { fullAndRelative, keyEnd } from "../ui/format.ts";

/** Custom ids; `commands/conta.ts` and `commands/provas.ts` handle them. */
const ids = {
  disconnect: customIdOf("conta", "apagar"),
  replace: customIdOf("conta", "outra"),
  keep: customIdOf("conta", "manter"),
  download: customIdOf("provas", "baixar")(""),
} as const;

export interface DisconnectFacts extends Disconnection {
  readonly account: Account;
  /** Whether the owner answered an earlier question, which no longer holds. */
  readonly isAnew: boolean;
  readonly locale: Locale;
}

const lossesInWords = (
  losses: ConnectionLosses,
  { account: { loses }, format }: AccountTexts,
): readonly string[] => {
  const { proofs, pixKeys, disputes, dueAt, charges, goal } = losses;
  return [
    ...(proofs === 0 ? [] : [loses.proofs(proofs)]),
    ...(pixKeys === 0 ? [] : [loses.pixKeys(pixKeys)]),
    ...(dueAt === undefined ? [] : [loses.disputes(disputes, fullAndRelative(dueAt))]),
    ...(losses.alertsEnd ? [loses.alertsEnd] : []),
    ...(losses.report === true ? [loses.report] : []),
    ...(charges === 0 ? [] : [loses.charges(charges)]),
    ...(losses.webhook ? [loses.webhook] : []),
    ...(goal === undefined ? [] : [loses.goal(format.reais(goal))]),
    ...(losses.alertChoice ? [loses.alertChoice] : []),
    ...(losses.saleNotices ? [loses.saleNotices] : []),
  ];
};

/** Empty without a loss. */
export const lossFields = (
  title: string,
  losses: ConnectionLosses,
  texts: AccountTexts,
): readonly APIEmbedField[] => {
  const lost = lossesInWords(losses, texts);
  return lost.length === 0 ? [] : [line(title, lost.join("\n"))];
};

/**
 * Asks before a key is deleted; lists the data deleted with it and a withdrawal that could not be followed then.
 * `deleted` are the words of the deletion, and `more` a last paragraph. `others`: buttons between the delete and the keep
 * button, whose custom ids are `answers`.
 */
export const disconnectQuestion = (
  { account: key, unfinished, losses, isAnew, locale }: DisconnectFacts,
  deleted: string,
  answers: { readonly disconnect: string; readonly keep: string },
  others: readonly ButtonParts[],
  more?: string,
): Reply => {
  const texts = accountTexts(locale);
  const { account, common } = texts;
  const label = unfinished ? account.disconnectAnyway : account.disconnect;
  const buttons: readonly ButtonParts[] = [
    { id: answers.disconnect, label, style: "danger" },
    ...others,
    { id: answers.keep, label: account.keep, style: "secondary" },
  ];
  return reply(
    {
      tone: "warning",
      title: account.disconnectTitle,
      description: [
        ...(isAnew ? [account.disconnectAnew] : []),
        ...(unfinished ? [account.disconnectUnfinished(unfinished)] : []),
        // With a refused key the sales alone stay at the service.
        `${deleted} ${key.pausedAt === undefined ? account.keyStays : account.salesStay}`,
        ...(losses.directGoesOn ? [account.directGoesOn] : []),
        ...(more === undefined ? [] : [more]),
      ].join("\n\n"),
      fields: [
        inline(common.key, keyEnd(key.keyLast4)),
        ...lossFields(account.losesToo, losses, texts),
      ],
    },
    // A second tap in the place of an earlier question's button keeps the key.
    buttonRow(...(isAnew ? buttons.toReversed() : buttons)),
    ...buttonRows(
      offeredButtons([losses.proofs > 0, ids.download, account.downloadProofs, "primary"]),
    ),
  );
};

/** The question inside the server, where another key can replace this one. */
export const disconnectHereQuestion = (facts: DisconnectFacts): Reply => {
  const { ownerId } = facts.account;
  const { account } = accountTexts(facts.locale);
  const answers = {
    disconnect: ids.disconnect(`${ownerId}.${facts.questionId}`),
    keep: ids.keep(ownerId),
  };
  const replace = { id: ids.replace(ownerId), label: account.replace, style: "secondary" } as const;
  return disconnectQuestion(facts, account.disconnectText, answers, [replace], account.replaceText);
};

export const disconnectedView = (directGoesOn: boolean, locale: Locale): Reply => {
  const { account } = accountTexts(locale);
  const description = account.disconnectedText(directGoesOn);
  return reply({ title: account.disconnected, description });
};
