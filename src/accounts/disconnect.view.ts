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

/** The further sentence of a question about a deletion, where the report goes on by another connection. */
export const directInWords = (
  { directGoesOn }: Pick<ConnectionLosses, "directGoesOn">,
  { account }: AccountTexts,
): readonly string[] => (directGoesOn ? [account.directGoesOn] : []);

/** Empty without a loss. */
export const lossFields = (
  title: string,
  losses: ConnectionLosses,
  texts: AccountTexts,
): readonly APIEmbedField[] => {
  const lost = lossesInWords(losses, texts);
  return lost.length === 0 ? [] : [line(title, lost.join("\n"))];
};

/** The words of the deletion, and what stays at the service: with a refused key the sales alone. */
export const staysInWords = (
  deleted: string,
  { pausedAt }: Account,
  { account: { keyStays, salesStay } }: AccountTexts,
): string => `${deleted} ${pausedAt === undefined ? keyStays : salesStay}`;

/**
 * Asks before a key is deleted; lists the data deleted with it and a withdrawal that could not be followed then.
 * `others`: buttons between the delete and the keep button, whose custom ids are `answers`.
 */
export const disconnectQuestion = (
  { account: key, unfinished, losses, isAnew, locale }: DisconnectFacts,
  question: string,
  answers: { readonly disconnect: string; readonly keep: string },
  others: readonly ButtonParts[],
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
        question,
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
  const texts = accountTexts(facts.locale);
  const { account } = texts;
  const disconnect = ids.disconnect(`${ownerId}.${facts.questionId}`);
  const goesOn = directInWords(facts.losses, texts);
  const question = [
    staysInWords(account.disconnectText, facts.account, texts),
    ...goesOn,
    account.replaceText,
  ].join("\n\n");
  const replace = { id: ids.replace(ownerId), label: account.replace, style: "secondary" } as const;
  return disconnectQuestion(facts, question, { disconnect, keep: ids.keep(ownerId) }, [replace]);
};

export const disconnectedView = (directGoesOn: boolean, locale: Locale): Reply => {
  const { account } = accountTexts(locale);
  const description = account.disconnectedText(directGoesOn);
  return reply({ title: account.disconnected, description });
};
