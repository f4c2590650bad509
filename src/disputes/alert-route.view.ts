import type { APIEmbedField } from "discord-api-types/v10";
import { isRouteOpen } from "../delivery/delivery.ts";
import { type AlertRoute, alertSteps } from "./dispute-alert.ts";
import { formatTimeOfDay } from "../shared/local-time.ts";
import type { Locale } from "../shared/locale.ts";
import { type DisputeTexts, disputeTexts } from "./texts.ts";
import {
  buttonRow,
  customIdOf,
  offeredButtons,
  reply,
  type Reply,
  selectRow,
} from "../ui/reply.ts";
import { channelMenu, roleMenu, routeState, shownChoices, switchButton } from "../ui/settings.ts";
import { inline, line } from "../ui/embed.ts";
import { channel, role, together } from "../ui/format.ts";

export type QuietHours = NonNullable<AlertRoute["quiet"]>;

const NONE = "nenhuma";
/** Menu values of quiet hours. */
export const quietChoices = [
  NONE,
  "21:00-07:00",
  "22:00-07:00",
  "22:00-08:00",
  "23:00-07:00",
  "23:00-08:00",
  "00:00-08:00",
] as const;

/** Quiet hours of a menu value; undefined for no quiet hours. */
export const quietOf = (value: string | undefined): QuietHours | undefined => {
  const [from, to] = value?.split("-") ?? [];
  return from === undefined || to === undefined
    ? undefined
    : { from: Temporal.PlainTime.from(from), to: Temporal.PlainTime.from(to) };
};

/** Arguments of the button that sets how often the service is asked in quiet hours. */
export const NIGHTS = { slow: "lentas", alike: "iguais" } as const;

const valueOf = (quiet: AlertRoute["quiet"]): string =>
  quiet === undefined ? NONE : `${formatTimeOfDay(quiet.from)}-${formatTimeOfDay(quiet.to)}`;

/** Custom ids; `commands/config-alertas.ts` handles them. */
const ids = {
  /** By `shownChoices`. */
  pings: customIdOf("config", "avisos"),
  quiet: customIdOf("config", "silencio")(""),
  nights: customIdOf("config", "noites"),
  noRole: customIdOf("config", "sem-cargo")(""),
  channel: customIdOf("config", "alertas-canal")(""),
  role: customIdOf("config", "alertas-cargo")(""),
  /** By `SWITCHES`. */
  switch: customIdOf("config", "alertas-ativo"),
} as const;

interface AlertRouteFacts {
  readonly route: AlertRoute;
  /** Whether the route was changed just now. */
  readonly saved: boolean;
  readonly locale: Locale;
}

const quietInWords = (
  { active, quiet, timeZone }: AlertRoute,
  { disputeAlerts, format }: DisputeTexts,
): string => {
  if (quiet === undefined) return disputeAlerts.noQuiet;
  const words = active ? disputeAlerts.quietText : disputeAlerts.quietOff;
  return words(format.hour(quiet.from), format.hour(quiet.to), format.zone(timeZone));
};

const pingsInWords = ({ pingSteps }: AlertRoute, { disputeAlerts }: DisputeTexts): string =>
  pingSteps.length === 0
    ? disputeAlerts.noPings
    : together(...pingSteps.map((step) => disputeAlerts.steps[step]));

const roleFields = (route: AlertRoute, texts: DisputeTexts) => {
  const { disputeAlerts } = texts;
  if (route.roleId === undefined) return [line(disputeAlerts.role, disputeAlerts.nobody)];
  const hint = `${role(route.roleId)}\n${disputeAlerts.roleHint}`;
  return [line(disputeAlerts.role, hint), line(disputeAlerts.pings, pingsInWords(route, texts))];
};

const menus = (route: AlertRoute, texts: DisputeTexts) => {
  const { disputeAlerts, format } = texts;
  const pings = selectRow({
    id: ids.pings(shownChoices(route.pingSteps)),
    placeholder: disputeAlerts.pingPlaceholder,
    severalOrNone: true,
    options: alertSteps.map((value) => ({
      value,
      label: disputeAlerts.steps[value],
      chosen: route.pingSteps.includes(value),
    })),
  });
  const quiet = selectRow({
    id: ids.quiet,
    placeholder: disputeAlerts.quietPlaceholder,
    options: quietChoices.map((value) => {
      const hours = quietOf(value);
      const label =
        hours === undefined
          ? disputeAlerts.quietNone
          : disputeAlerts.quietChoice(format.hour(hours.from), format.hour(hours.to));
      return { value, label, chosen: value === valueOf(route.quiet) };
    }),
  });
  const buttons = offeredButtons(
    [route.roleId !== undefined, ids.noRole, disputeAlerts.removeRole],
    [
      route.quiet !== undefined,
      ids.nights(route.slowNights ? NIGHTS.alike : NIGHTS.slow),
      route.slowNights ? disputeAlerts.makeFast : disputeAlerts.makeSlow,
    ],
  );
  return [
    channelMenu(ids.channel, texts, route),
    roleMenu(ids.role, texts, route.roleId),
    ...(route.roleId === undefined ? [] : [pings]),
    quiet,
    // The switch comes first: it must not move into the place of a button that goes away.
    buttonRow(switchButton(ids.switch, route.active, texts), ...buttons),
  ];
};

/** Asks for the channel of a server without one. */
export const alertSetupView = (locale: Locale): Reply => {
  const texts = disputeTexts(locale);
  const { disputeAlerts } = texts;
  const description = `${disputeAlerts.setup}\n\n${disputeAlerts.whoSees}`;
  return reply({ title: disputeAlerts.routeTitle, description }, channelMenu(ids.channel, texts));
};

/** A guild's alert settings: channel, mentioned role and quiet hours. */
export const alertRouteView = ({ route, saved, locale }: AlertRouteFacts): Reply => {
  const texts = disputeTexts(locale);
  const { common, disputeAlerts } = texts;
  return reply(
    {
      tone: route.suspendedAt === undefined ? "accent" : "warning",
      title: saved ? disputeAlerts.routeSaved : disputeAlerts.routeTitle,
      description: disputeAlerts.whoSees,
      fields: [
        inline(common.channel, channel(route.channelId)),
        line(common.state, routeState(route, disputeAlerts)),
        ...roleFields(route, texts),
        line(disputeAlerts.quiet, quietInWords(route, texts)),
        ...(route.quiet === undefined
          ? []
          : [
              inline(
                disputeAlerts.nights,
                route.slowNights ? disputeAlerts.slowNights : disputeAlerts.fastNights,
              ),
            ]),
      ],
    },
    ...menus(route, texts),
  );
};

const inWords = (route: AlertRoute | undefined, { disputeAlerts }: DisputeTexts): string => {
  if (route === undefined) return disputeAlerts.noChannel;
  if (!isRouteOpen(route)) return routeState(route, disputeAlerts);
  const pinged =
    route.roleId === undefined || route.pingSteps.length === 0 ? "" : role(route.roleId);
  return disputeAlerts.postedIn(channel(route.channelId), pinged);
};

/** A guild's alert settings in one line, beside other settings; `route` is undefined when no channel was chosen. */
export const alertSummary = (route: AlertRoute | undefined, locale: Locale): APIEmbedField => {
  const texts = disputeTexts(locale);
  return line(texts.disputeAlerts.routeTitle, inWords(route, texts));
};
