import type { APIEmbedField } from "discord-api-types/v10";
import {
  type Account,
  type ConnectionLosses,
  type DestinationChoice,
  destinationChoices,
  reportChoice,
} from "./account.ts";
import type { AlertRoute } from "../disputes/dispute-alert.ts";
import { isRouteOpen } from "../delivery/delivery.ts";
import type { SaleNoticeState } from "../sale-notices/sale-notice.ts";
import type { ReportRoute } from "../reports/report-route.ts";
import type { DirectHour } from "../reports/report-schedule.ts";
import type { Locale } from "../shared/locale.ts";
import { lossFields } from "./disconnect.view.ts";
import { type AccountTexts, accountTexts } from "./texts.ts";
import {
  type ButtonParts,
  buttonRows,
  customIdOf,
  modal,
  type Modal,
  offeredButtons,
  reply,
  type Reply,
  selectRow,
} from "../ui/reply.ts";
import { inline, line } from "../ui/embed.ts";
import { channel, fullAndRelative, fullTime, keyEnd, person } from "../ui/format.ts";

/** Custom ids, most by owner; `commands/conta.ts` and `commands/conta-ver.ts` handle them. */
const ids = {
  accept: customIdOf("conta", "aceitar"),
  decline: customIdOf("conta", "recusar"),
  report: customIdOf("conta", "relatorio"),
  /** Button of the settings of the direct report. */
  direct: customIdOf("conta", "direto"),
  alerts: customIdOf("conta", "alertas"),
  sales: customIdOf("conta", "vendas"),
  form: customIdOf("conta", "formulario")(""),
  connect: customIdOf("conta", "conectar"),
  /** Form of the button of `disconnect.view.ts` that replaces the key. */
  connectSame: customIdOf("conta", "substituir"),
} as const;

export interface AccountFacts {
  readonly account: Account;
  /** The guild's report settings, with the hour at which reports come; undefined when no channel was chosen. */
  readonly route: ReportRoute | undefined;
  /** Of the owner's direct report, which may be chosen in another guild with this wallet account; undefined without one. */
  readonly directHour: Pick<DirectHour, "isPaused" | "time" | "timeZone"> | undefined;
  readonly alertRoute: AlertRoute | undefined;
  /** Where the notices of the owner's sales go. */
  readonly sales: SaleNoticeState;
  /** Whether the key ring no longer opens the key. */
  readonly isUnreadable?: boolean;
  /** The losses that the key just connected has caused, as one of another wallet account. */
  readonly lost?: ConnectionLosses | undefined;
  /** Target of alerts that another connection of the owner receives; undefined when no other connection does. */
  readonly alertsElsewhere:
    | { readonly kind: "channel"; readonly channelId: string }
    | { readonly kind: "direct" }
    | undefined;
  /** Undelivered alerts, and direct reports, of the last seven days. */
  readonly undelivered: number;
  readonly undeliveredReports: number;
  /** Pending disputes that the service counts and that are not listed, or cannot be read. */
  readonly unlisted: number;
  /** Whether alerts wait: the key is refused or unreadable, and no other key of the owner works for the wallet account. */
  readonly isOnHold: boolean;
  /** Number of other servers with a refused key of the owner's for the wallet account, while this one works. */
  readonly refusedElsewhere: number;
  readonly locale: Locale;
}

export const routeInWords = (
  consent: boolean,
  route: ReportRoute | undefined,
  { account, format }: AccountTexts,
): string => {
  if (route === undefined) return account.noChannel;
  if (!route.active) return account.switchedOff;
  const place = channel(route.channelId);
  if (route.suspendedAt !== undefined) return account.channelLost(place);
  const where = consent ? account.goesTo : account.wouldGoTo;
  return where(place, format.hour(route.time), format.zone(route.timeZone));
};

export const keyFields = (
  key: Account,
  { account, common }: AccountTexts,
): readonly APIEmbedField[] => [
  inline(
    common.key,
    key.connectedBy === key.ownerId
      ? keyEnd(key.keyLast4)
      : `${keyEnd(key.keyLast4)}, ${account.by(person(key.connectedBy))}`,
  ),
  inline(account.owner, key.ownerVerified ? account.ownerVerified : account.ownerUnverified),
];

const stateFields = (
  { account: key, isUnreadable = false }: AccountFacts,
  { account, common }: AccountTexts,
): readonly APIEmbedField[] => {
  const since = line(account.since, fullAndRelative(key.connectedAt));
  // A refused key that is no longer read is not tried again.
  return key.pausedAt === undefined || isUnreadable
    ? [since]
    : [since, line(common.state, account.pausedSince(fullTime(key.pausedAt)))];
};

/** After a change of key each server needs the new one. */
export const elsewhereFields = (
  count: number,
  { account }: AccountTexts,
): readonly APIEmbedField[] =>
  count === 0 ? [] : [line(account.elsewhere, account.refusedElsewhere(count))];

/** A destination, after the note that it waits for the key. */
export const held = (isOnHold: boolean, onHold: string, place: string): string =>
  isOnHold ? `${onHold} ${place}` : place;

const lacksKey = ({ account, isUnreadable = false }: AccountFacts): boolean =>
  account.pausedAt !== undefined || isUnreadable;

const reportInWords = (facts: AccountFacts, texts: AccountTexts): string => {
  const { account: key, route, directHour: hour, undeliveredReports: lost } = facts;
  const isHeld = facts.isOnHold || hour?.isPaused === true;
  const { account, common, format } = texts;
  const direct = hour && ([format.hour(hour.time), format.zone(hour.timeZone)] as const);
  if (direct && key.reportDirect)
    return [
      held(isHeld, account.onHold, account.goesDirect(...direct)),
      ...(lost === 0 ? [] : [common.undeliveredReports(lost)]),
    ].join("\n");
  const consent = key.reportConsent ? account.consentGiven : account.consentMissing;
  const offer = direct || isRouteOpen(route) ? [] : [account.orDirect];
  const posted = [consent, routeInWords(key.reportConsent, route, texts), ...offer].join(" ");
  // A server's report is read with the key connected there alone.
  const waits = lacksKey(facts) && key.reportConsent && isRouteOpen(route);
  return [
    held(waits, account.onHold, posted),
    ...(direct ? [held(isHeld, account.onHold, account.directElsewhere(...direct))] : []),
  ].join("\n");
};

const alertsGoTo = (
  { account: key, alertRoute, alertsElsewhere: elsewhere }: AccountFacts,
  { ownAlerts }: AccountTexts,
): string => {
  if (elsewhere?.kind === "channel") return ownAlerts.elsewhere(channel(elsewhere.channelId));
  if (elsewhere !== undefined && key.alerts === "off") return ownAlerts.directElsewhere;
  if (key.alerts === "direct") return ownAlerts.direct;
  if (!isRouteOpen(alertRoute)) return ownAlerts.noRoute;
  return elsewhere === undefined
    ? ownAlerts.inChannel(channel(alertRoute.channelId))
    : ownAlerts.direct;
};

/** Those of the server whose connection gets the alerts hold direct messages as well. */
const quietInWords = (
  { alertRoute, alertsElsewhere }: AccountFacts,
  { ownAlerts, format }: AccountTexts,
): readonly string[] => {
  if (alertsElsewhere !== undefined || alertRoute?.active !== true) return [];
  const { quiet, timeZone } = alertRoute;
  if (quiet === undefined) return [];
  const hours = [format.hour(quiet.from), format.hour(quiet.to)] as const;
  return [ownAlerts.quiet(...hours, format.zone(timeZone))];
};

/** `wayOut`: how the owner gets alerts that are not delivered. */
const alertsInWords = (facts: AccountFacts, texts: AccountTexts, wayOut: string): string => {
  const { account: key, undelivered, unlisted } = facts;
  const { ownAlerts } = texts;
  if (key.alerts === "off" && facts.alertsElsewhere === undefined) return ownAlerts.none;
  return [
    held(facts.isOnHold, ownAlerts.onHold, alertsGoTo(facts, texts)),
    ...quietInWords(facts, texts),
    ...(unlisted === 0 ? [] : [ownAlerts.unlistedSome(unlisted)]),
    ...(undelivered === 0 ? [] : [`${texts.common.undelivered(undelivered)} ${wayOut}`]),
  ].join("\n");
};

const salesInWords = (facts: AccountFacts, { account, ownSales, format }: AccountTexts): string => {
  const { choice, channelId, minimum, isByReport, isOnHold } = facts.sales;
  if (choice === "off") return ownSales.none;
  const place =
    choice === "direct"
      ? ownSales.direct
      : channelId === undefined
        ? ownSales.noRoute
        : ownSales.inChannel(channel(channelId), minimum ? format.reais(minimum) : undefined);
  const isSent = choice === "direct" || channelId !== undefined;
  if (!isSent) return place;
  const said = held(isOnHold || facts.isOnHold, account.onHoldMany, place);
  const byReport = choice === "channel" && minimum ? ownSales.someByReport : ownSales.byReport;
  return isByReport ? `${said}\n${byReport}` : said;
};

/** Menu of where the owner's reports, alerts or notices go. */
const destinationMenu = (
  id: string,
  placeholder: string,
  labels: Readonly<Record<DestinationChoice, string>>,
  choice: DestinationChoice,
) =>
  selectRow({
    id,
    placeholder,
    options: destinationChoices.map((value) => ({
      value,
      label: labels[value],
      chosen: value === choice,
    })),
  });

/**
 * A connection for its owner: its state, with controls for consent and alerts. A key that works is not called so: the
 * service may have refused it since it was last read.
 */
export const accountView = (facts: AccountFacts): Reply => {
  const { account: key, isUnreadable = false, lost, sales, locale } = facts;
  const { ownerId } = key;
  const texts = accountTexts(locale);
  const { account, ownAlerts, ownSales } = texts;
  const wayOut = ownAlerts.undeliveredBelow(isRouteOpen(facts.alertRoute));
  const isPaused = key.pausedAt !== undefined;
  const fields = [
    ...keyFields(key, texts),
    ...stateFields(facts, texts),
    ...elsewhereFields(facts.refusedElsewhere, texts),
    line(account.report, reportInWords(facts, texts)),
    line(ownAlerts.yours, alertsInWords(facts, texts, wayOut)),
    line(ownSales.yours, salesInWords(facts, texts)),
    ...(lost === undefined ? [] : lossFields(texts.people.removedLost, lost, texts)),
  ];
  const { reportPlaceholder, reportChoices } = account;
  const unreadable = isUnreadable ? texts.userErrors.key_unreadable : undefined;
  return reply(
    {
      tone: lacksKey(facts) || lost !== undefined ? "warning" : "accent",
      title: unreadable?.title ?? (isPaused ? account.refused : account.connected),
      description: lost === undefined ? unreadable?.next : account.ofOtherWallet,
      fields,
    },
    destinationMenu(ids.report(ownerId), reportPlaceholder, reportChoices, reportChoice(key)),
    destinationMenu(ids.alerts(ownerId), ownAlerts.yoursPlaceholder, ownAlerts.choices, key.alerts),
    destinationMenu(ids.sales(ownerId), ownSales.yoursPlaceholder, ownSales.choices, sales.choice),
    ...buttonRows([
      ...(lacksKey(facts) ? [connectButton(texts)] : []),
      ...offeredButtons([key.reportDirect, ids.direct(ownerId), account.directSettings]),
    ]),
  );
};

/**
 * Shown right after the owner connected. Asks for consent to reports if the server has a report channel; otherwise
 * `reportChannelNotice` asks once it has a channel.
 */
export const connectedView = (facts: AccountFacts): Reply => {
  const { account: key, lost, locale } = facts;
  const { ownerId } = key;
  if (reportChoice(key) !== "off") return accountView(facts);
  const texts = accountTexts(locale);
  const { account } = texts;
  const hasChannel = facts.route !== undefined;
  const route = routeInWords(key.reportConsent, facts.route, texts);
  const said = [
    ...(lost === undefined ? [] : [account.ofOtherWallet]),
    account.firstSteps,
    ...(hasChannel ? [account.consentQuestion] : []),
  ];
  return reply(
    {
      tone: lost === undefined ? "accent" : "warning",
      title: account.connected,
      description: said.join("\n\n"),
      fields: [
        ...keyFields(key, texts),
        ...elsewhereFields(facts.refusedElsewhere, texts),
        line(account.report, hasChannel ? route : `${route} ${account.willAsk}`),
        line(texts.ownAlerts.yours, alertsInWords(facts, texts, texts.common.undeliveredNext)),
        ...(lost === undefined ? [] : lossFields(texts.people.removedLost, lost, texts)),
      ],
    },
    ...buttonRows(
      offeredButtons(
        [hasChannel, ids.accept(ownerId), account.accept, "success"],
        [hasChannel, ids.decline(ownerId), account.decline],
      ),
    ),
  );
};

/** Opens the form of `/conta conectar`. */
export const connectButton = ({ account }: AccountTexts): ButtonParts => ({
  id: ids.form,
  label: account.connectMine,
  style: "success",
});

/**
 * The form for the owner's key; `field` is its field id, fixed by the outside contract. `keepsWallet`: for a key of the same
 * wallet account alone.
 */
export const connectModal = (
  ownerId: string,
  field: string,
  locale: Locale,
  keepsWallet = false,
): Modal => {
  const { account } = accountTexts(locale);
  return modal({
    customId: (keepsWallet ? ids.connectSame : ids.connect)(ownerId),
    title: account.modalTitle,
    fields: [
      {
        id: field,
        label: account.modalLabel,
        placeholder: account.modalPlaceholder,
        required: true,
      },
    ],
  });
};
