import { type Action, action, type Invocation } from "#src/discord/command.ts";
import { customId } from "#src/discord/custom-id.ts";
import type { Account } from "#src/domain/account.ts";
import { alertChoices } from "#src/domain/dispute-alert.ts";
import type { Services } from "#src/services/services.ts";
import { UserError } from "#src/shared/errors.ts";
import { type AccountFacts, accountView } from "#src/views/account.ts";
import type { Reply } from "#src/views/reply.ts";
import { ownButton } from "./key-owner.ts";

/** @throws UserError not_connected */
const ownAccount = async (
  { guildId, userId }: Invocation,
  { accounts }: Services,
): Promise<Account> => {
  const account = await accounts.find(guildId, userId);
  if (account === undefined) throw new UserError({ kind: "not_connected" });
  return account;
};

/** What the owner is shown of the connection. */
export const accountFacts = async (
  account: Account,
  { guildId, userId, locale }: Invocation,
  { accounts, reportRoutes, alertRoutes, disputes }: Services,
): Promise<AccountFacts> => ({
  account,
  route: await reportRoutes.find(guildId),
  alertRoute: await alertRoutes.find(guildId),
  alertsElsewhere: await accounts.alertsElsewhere(account),
  undelivered: await disputes.undelivered(account.id),
  unlisted: await disputes.unlisted(account.watchId),
  ids: {
    accept: customId("conta", "aceitar", userId),
    decline: customId("conta", "recusar", userId),
    alerts: customId("conta", "alertas", userId),
  },
  locale,
});

/** The person's own connection. @throws UserError not_connected */
export const accountReply = async (invocation: Invocation, services: Services): Promise<Reply> => {
  const account = await ownAccount(invocation, services);
  return accountView(await accountFacts(account, invocation, services));
};

/** Button by which the owner agrees to the daily report, or takes it back. */
const changeConsent = (consent: boolean): Action =>
  action({
    kind: "write",
    answers: "update",
    parse: ownButton,
    run: async (_, invocation, services) => {
      const { guildId, userId } = invocation;
      const account = await services.accounts.setReportConsent(guildId, userId, consent);
      return accountView(await accountFacts(account, invocation, services));
    },
  });

/** Menu by which the owner says where alerts of disputes go. @throws UserError outdated_component */
const chooseAlerts: Action = action({
  kind: "write",
  answers: "update",
  parse: (input, invocation) => {
    ownButton(input, invocation);
    const choice = alertChoices.find((each) => each === input.values[0]);
    if (choice === undefined) throw new UserError({ kind: "outdated_component" });
    return choice;
  },
  run: async (alerts, invocation, services) => {
    const { guildId, userId, locale } = invocation;
    const account = await services.accounts.setAlerts(guildId, userId, alerts, locale);
    return accountView(await accountFacts(account, invocation, services));
  },
});

/** What only the owner decides about the connection. */
export const ownChoices = {
  aceitar: changeConsent(true),
  recusar: changeConsent(false),
  alertas: chooseAlerts,
} as const;
