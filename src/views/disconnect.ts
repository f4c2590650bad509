import type { Account, ConnectionLosses } from "../domain/account.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor, type Texts } from "../texts/texts.ts";
import { buttonRow, type ButtonParts } from "./components.ts";
import { proofIds } from "./defence/proof-ids.ts";
import { inline, line } from "./embed.ts";
import { keyEnd } from "./key-end.ts";
import { reply, type Reply } from "./reply.ts";
import { fullAndRelative } from "./timestamp.ts";

export interface DisconnectFacts {
  readonly account: Account;
  /** A withdrawal that nobody could follow any more. */
  readonly unfinished: { readonly opId: string | undefined } | undefined;
  readonly losses: ConnectionLosses;
  readonly locale: Locale;
}

const lossesInWords = (
  { proofs, pixKeys, alertChoice, disputes, dueAt }: ConnectionLosses,
  { account }: Texts,
): readonly string[] => [
  ...(proofs === 0 ? [] : [account.loses.proofs(proofs)]),
  ...(pixKeys === 0 ? [] : [account.loses.pixKeys(pixKeys)]),
  ...(dueAt === undefined ? [] : [account.loses.disputes(disputes, fullAndRelative(dueAt))]),
  ...(alertChoice ? [account.loses.alertChoice] : []),
];

/**
 * Asks before a key is deleted, and says with counts what goes with it and what could not be followed any more. `others`
 * stand between the button that deletes and the one that keeps.
 */
export const disconnectQuestion = (
  { account: key, unfinished, losses, locale }: DisconnectFacts,
  question: string,
  ids: { readonly disconnect: string; readonly keep: string },
  others: readonly ButtonParts[],
): Reply => {
  const texts = textsFor(locale);
  const { account, proofs } = texts;
  const lost = lossesInWords(losses, texts);
  const download: ButtonParts = {
    id: proofIds.download,
    label: proofs.download,
    style: "primary",
  };
  return reply(
    {
      tone: "warning",
      title: account.disconnectTitle,
      description: unfinished
        ? `${account.disconnectUnfinished(unfinished.opId)}\n\n${question}`
        : question,
      fields: [
        inline(account.key, keyEnd(key.keyLast4)),
        ...(lost.length === 0 ? [] : [line(account.losesToo, lost.join("\n"))]),
      ],
    },
    buttonRow(
      {
        id: ids.disconnect,
        label: unfinished ? account.disconnectAnyway : account.disconnect,
        style: "danger",
      },
      ...others,
      { id: ids.keep, label: account.keep, style: "secondary" },
    ),
    ...(losses.proofs === 0 ? [] : [buttonRow(download)]),
  );
};

/** The question in the server itself, where another key can take the place of this one. */
export const disconnectHereQuestion = (
  facts: DisconnectFacts,
  ids: { readonly disconnect: string; readonly replace: string; readonly keep: string },
): Reply => {
  const { account } = textsFor(facts.locale);
  const question = `${account.disconnectText}\n\n${account.replaceText}`;
  const replace = { id: ids.replace, label: account.replace, style: "secondary" } as const;
  return disconnectQuestion(facts, question, ids, [replace]);
};

export const disconnectedView = (locale: Locale): Reply => {
  const { account } = textsFor(locale);
  return reply({ title: account.disconnected, description: account.disconnectedText });
};
