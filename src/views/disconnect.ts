import type { Account } from "../domain/account.ts";
import type { Locale } from "../texts/locale.ts";
import { textsFor } from "../texts/texts.ts";
import { buttonRow } from "./components.ts";
import { inline } from "./embed.ts";
import { keyEnd } from "./key-end.ts";
import { reply, type Reply } from "./reply.ts";

/** Asks before a key is deleted, and says what goes with it, and what could not be followed any more. */
export const disconnectQuestion = (
  { keyLast4 }: Account,
  unfinished: { readonly opId: string | undefined } | undefined,
  ids: { readonly disconnect: string; readonly keep: string },
  locale: Locale,
): Reply => {
  const { account } = textsFor(locale);
  return reply(
    {
      tone: "warning",
      title: account.disconnectTitle,
      description: unfinished
        ? `${account.disconnectUnfinished(unfinished.opId)}\n\n${account.disconnectText}`
        : account.disconnectText,
      fields: [inline(account.key, keyEnd(keyLast4))],
    },
    buttonRow(
      {
        id: ids.disconnect,
        label: unfinished ? account.disconnectAnyway : account.disconnect,
        style: "danger",
      },
      { id: ids.keep, label: account.keep, style: "secondary" },
    ),
  );
};

export const disconnectedView = (locale: Locale): Reply => {
  const { account } = textsFor(locale);
  return reply({ title: account.disconnected, description: account.disconnectedText });
};
