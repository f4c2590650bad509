import { UserError, WalletError } from "#src/shared/errors.ts";
import {
  accountView,
  connectedForView,
  connectedView,
  disconnectHereQuestion,
} from "#src/views/account.ts";
import { errorReply } from "#src/views/error.ts";
import { helpView } from "#src/views/help.ts";
import { connectedForYouNotice, keyRefusedNotice } from "#src/views/notices.ts";
import { NOW, sampleAccount, sampleRoute } from "../support/samples.ts";
import type { Render } from "./hostile-samples.ts";

const ids = { accept: "a:b:", decline: "a:c:", alerts: "a:al:" };
const keyed = (keyLast4: string) => sampleAccount({ keyLast4, pausedAt: NOW });
const notice = { guildId: "118", reference: "ref a1b2c3d4" };

/** Errors, notices and the views of an account. */
export const accountViews: Readonly<Record<string, Render>> = {
  typedDate: (given, locale) =>
    errorReply(new UserError({ kind: "invalid_date", given }), locale, "R"),
  typedDay: (given, locale) =>
    errorReply(new UserError({ kind: "future_date", given }), locale, "R"),
  typedTime: (given, locale) =>
    errorReply(new UserError({ kind: "invalid_time", given }), locale, "R"),
  typedZone: (given, locale) =>
    errorReply(new UserError({ kind: "invalid_time_zone", given }), locale, "R"),
  typedTxid: (given, locale) =>
    errorReply(new UserError({ kind: "txid_unreadable", given }), locale, "R"),
  reference: (reference, locale) => errorReply({ reference }, locale, reference),
  requestId: (requestId, locale) =>
    errorReply(
      new WalletError({ kind: "unavailable", method: "GET", route: "/v1/x", requestId }),
      locale,
      "R",
    ),
  refusedKey: (text, locale) =>
    keyRefusedNotice({ ...notice, locale, keyLast4: text, noticedAt: NOW, requestId: text }),
  keyForYou: (keyLast4, locale) =>
    connectedForYouNotice({ ...notice, locale, keyLast4, adminId: "119", connectedAt: NOW }),
  account: (text, locale) =>
    accountView({
      account: keyed(text),
      route: sampleRoute(),
      alertRoute: undefined,
      undelivered: 0,
      alertsElsewhere: undefined,
      unlisted: 0,
      ids,
      locale,
    }),
  connected: (text, locale) =>
    connectedView({
      account: keyed(text),
      route: undefined,
      alertRoute: undefined,
      undelivered: 0,
      alertsElsewhere: undefined,
      unlisted: 0,
      ids,
      locale,
    }),
  connectedFor: (text, locale) => connectedForView(keyed(text), locale),
  disconnect: (text, locale) =>
    disconnectHereQuestion(
      {
        account: keyed(text),
        unfinished: undefined,
        losses: { proofs: 1, pixKeys: 1, alertChoice: true, disputes: 1, dueAt: NOW },
        locale,
      },
      { disconnect: "a:d:", replace: "a:r:", keep: "a:e:" },
    ),
  help: (text, locale) => helpView({ account: keyed(text), manager: true, inGuild: true, locale }),
};
