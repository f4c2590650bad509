import {
  type Action,
  action,
  type ActionInput,
  type HandlerParts,
  type Invocation,
} from "#src/discord/command.ts";
import { type Account, type DestinationChoice, destinationChoices } from "#src/accounts/account.ts";
import { type AccountFacts, accountView } from "#src/accounts/account.view.ts";
import type { Services } from "#src/services.ts";
import { UserError } from "#src/shared/errors.ts";
import type { Reply } from "#src/ui/reply.ts";
import {
  type OwnReportFacts,
  ownReportView,
  testOutcomeView,
} from "#src/reports/report-route.view.ts";
import { asItComes } from "#src/reports/report-schedule.ts";
import { chosenCloses, chosenTime } from "./config-relatorio.ts";
import { after, chosenOf, outdated, ownButton } from "./component-input.ts";

/** @throws UserError not_connected */
const ownAccount = async (
  { guildId, userId }: Invocation,
  { accounts }: Services,
): Promise<Account> => {
  const account = await accounts.find(guildId, userId);
  if (account === undefined) throw new UserError({ kind: "not_connected" });
  return account;
};

/** For commands in the server of the connection alone: the person who uses one is there. */
export const accountFacts = async (
  account: Account,
  { guildId, locale, createdAt }: Invocation,
  { accounts, reportRoutes, alertRoutes, disputes, saleNotices }: Services,
): Promise<AccountFacts> => {
  // Before where alerts go is read: a server that its owner left comes last.
  await accounts.confirmPresence(account);
  await accounts.noteLocale(account.ownerId, locale);
  const route = await reportRoutes.find(guildId);
  const directHour = await reportRoutes.directHour(account);
  return {
    account,
    route: route && asItComes(route, createdAt),
    directHour: directHour && asItComes(directHour, createdAt),
    alertRoute: await alertRoutes.find(guildId),
    sales: await saleNotices.stateOf(account),
    alertsElsewhere: await accounts.alertsElsewhere(account),
    undelivered: await disputes.undelivered(account.id),
    undeliveredReports: await reportRoutes.undelivered(account),
    unlisted: await disputes.unlisted(account.watchId),
    isOnHold: await accounts.isOnHold(account),
    isUnreadable: await accounts.isKeyUnreadable(account),
    refusedElsewhere: await accounts.refusedElsewhere(account),
    locale,
  };
};

/** The person's own connection. @throws UserError not_connected */
export const accountReply = async (
  _: unknown,
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const account = await ownAccount(invocation, services);
  return accountView(await accountFacts(account, invocation, services));
};

/** Menu or button of the owner alone, whose value `chosen` reads. @throws UserError outdated_component */
const ownMenu = <Value>(
  chosen: (input: ActionInput) => Value,
  run: HandlerParts<ActionInput, Value>["run"],
): Action => action({ kind: "write", answers: "update", parse: after(ownButton, chosen), run });

/** The same where the account is changed and then shown. @throws UserError outdated_component */
const changing = <Value>(
  chosen: (input: ActionInput) => Value,
  change: (value: Value, invocation: Invocation, services: Services) => Promise<Account>,
): Action =>
  ownMenu(chosen, async (value, invocation, services) => {
    const account = await change(value, invocation, services);
    return accountView(await accountFacts(account, invocation, services));
  });

const chooseReport = (
  choice: DestinationChoice,
  { guildId, userId, locale }: Invocation,
  { accounts }: Services,
): Promise<Account> => accounts.chooseReport(guildId, userId, choice, locale);

const chosenDestination = chosenOf(destinationChoices);

/** Settings of the direct report, or of the account once it has left direct reports. */
const ownReportReply = async (
  saved: OwnReportFacts["saved"],
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const account = await ownAccount(invocation, services);
  const hour = await services.reportRoutes.directHour(account);
  if (hour === undefined || !account.reportDirect)
    return await accountReply(undefined, invocation, services);
  return ownReportView({
    hour,
    saved,
    ownerId: account.ownerId,
    locale: invocation.locale,
    now: services.clock.now(),
    closes: await services.closes.choices(hour.accountId),
  });
};

/** Menu of the settings of the direct report, which are one for all connections of a watch. */
const directMenu = <Value>(
  saved: OwnReportFacts["saved"],
  chosen: (input: ActionInput) => Value,
  changeOf: (services: Services) => (watchId: string, value: Value) => Promise<void>,
): Action =>
  ownMenu(chosen, async (value, invocation, services) => {
    const { watchId } = await ownAccount(invocation, services);
    await changeOf(services)(watchId, value);
    return await ownReportReply(saved, invocation, services);
  });

const ownReportActions = {
  direto: action({
    kind: "read",
    answers: "new",
    parse: ownButton,
    run: (_, invocation, services) => ownReportReply(undefined, invocation, services),
  }),
  "direto-hora": directMenu(
    "hour",
    chosenTime,
    ({ reportRoutes }) => reportRoutes.chooseDirectTime,
  ),
  "direto-fechamentos": directMenu("closes", chosenCloses, ({ closes }) => closes.chooseDirect),
  "direto-testar": action({
    kind: "write",
    answers: "new",
    parse: ownButton,
    run: async (_, invocation, services) => {
      const { interactionId, locale } = invocation;
      const account = await ownAccount(invocation, services);
      const hour = await services.reportRoutes.directHour(account);
      if (hour === undefined) return outdated();
      const result = await services.reportRoutes.testDirect(account, hour, locale, interactionId);
      return testOutcomeView(result, undefined, locale);
    },
  }),
} as const;

/** Menus and buttons under the answer; the buttons give or withdraw the consent where it is asked for. */
export const ownChoices = {
  aceitar: changing(() => "channel" as const, chooseReport),
  /** Withdraws the consent to the report of the channel alone. */
  recusar: changing(
    () => undefined,
    (_, { guildId, userId, locale }, { accounts }) =>
      accounts.leaveChannel(guildId, userId, locale),
  ),
  /** Menu that sets where the owner's daily report goes. */
  relatorio: changing(chosenDestination, chooseReport),
  alertas: changing(chosenDestination, (alerts, { guildId, userId, locale }, { accounts }) =>
    accounts.setAlerts(guildId, userId, alerts, locale),
  ),
  /** Menu that sets where the notices of the owner's sales go. */
  vendas: ownMenu(chosenDestination, async (choice, invocation, services) => {
    const { guildId, userId, locale } = invocation;
    if (!(await services.saleNotices.choose(guildId, userId, choice, locale)))
      throw new UserError({ kind: "not_connected" });
    return await accountReply(undefined, invocation, services);
  }),
  ...ownReportActions,
} as const;
