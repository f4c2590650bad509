import {
  type Action,
  action,
  type ActionInput,
  defineCommand,
  handler,
  type HandlerParts,
  type Invocation,
} from "#src/discord/command.ts";
import { customId } from "#src/discord/custom-id.ts";
import type { Account } from "#src/domain/account.ts";
import { alertChoices } from "#src/domain/dispute-alert.ts";
import type { ConnectRequest } from "#src/services/accounts.ts";
import type { Services } from "#src/services/services.ts";
import { UserError } from "#src/shared/errors.ts";
import {
  type AccountFacts,
  accountView,
  connectedForView,
  connectedView,
  connectModal,
  disconnectedView,
  disconnectHereQuestion,
} from "#src/views/account.ts";
import type { Modal, Reply } from "#src/views/reply.ts";
import { DIRECT_MESSAGE } from "#src/discord/interaction.ts";
import { isDiscordId } from "#src/domain/ids.ts";
import {
  connectionsView,
  disconnectedFromView,
  disconnectFromQuestion,
  memberAskedView,
  offerAnsweredView,
  reportConsentView,
} from "#src/views/connections.ts";
import { limits } from "#src/views/embed.ts";
import { inGuildsAndDirect } from "#src/shared/discord-enums.ts";
import { Secret } from "#src/shared/secret.ts";
import { keyOwner, keyOwnerOf, ownButton } from "./ownership.ts";
import { command, option, subcommand } from "./definition.ts";

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
const accountFacts = async (
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
const accountReply = async (invocation: Invocation, services: Services): Promise<Reply> => {
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
const ownChoices = {
  aceitar: changeConsent(true),
  recusar: changeConsent(false),
  alertas: chooseAlerts,
} as const;

const CHOOSE = customId("conta", "qual");

const isDirect = ({ guildId }: Invocation): boolean => guildId === DIRECT_MESSAGE;

/** All connections of the person, whatever server they are in. @throws UserError nothing_connected */
const connectionsReply = async (
  { userId, locale }: Invocation,
  { accounts }: Services,
): Promise<Reply> => {
  const all = await accounts.ofOwner(userId);
  if (all.length === 0) throw new UserError({ kind: "nothing_connected" });
  const more = Math.max(0, all.length - limits.selectOptions);
  return connectionsView(all, more, CHOOSE, locale);
};

/** Whether to delete the person's key of that server. @throws UserError not_connected */
const questionAbout = async (
  guildId: string,
  { userId, locale }: Invocation,
  { accounts }: Services,
): Promise<Reply> => {
  const account = await accounts.find(guildId, userId);
  if (account === undefined) throw new UserError({ kind: "nothing_connected" });
  const unfinished = await accounts.unfinished(account, userId);
  const ids = {
    disconnect: customId("conta", unfinished ? "largar-de" : "apagar-de", guildId),
    stop: customId("conta", "parar-em", guildId),
    keep: customId("conta", "todas"),
  };
  const losses = await accounts.losses(account);
  const guildName = await accounts.guildName(guildId);
  return disconnectFromQuestion({ account, unfinished, losses, locale }, guildName, ids);
};

/** `/conta desconectar` in a direct message: of one connection it asks whether, of several which. */
const disconnectDirectReply = async (
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const [first, second] = await services.accounts.ofOwner(invocation.userId);
  return first !== undefined && second === undefined
    ? await questionAbout(first.account.guildId, invocation, services)
    : await connectionsReply(invocation, services);
};

/**
 * The server that a button or a menu is about. Nobody else's connection can be meant: only the person's own is looked
 * for there. @throws UserError outdated_component
 */
const serverOf = ({ values: [chosen], argument }: ActionInput): string => {
  const guildId = chosen ?? argument;
  if (!isDiscordId(guildId)) throw new UserError({ kind: "outdated_component" });
  return guildId;
};

const directAction = (
  parts: Pick<HandlerParts<ActionInput, string>, "kind" | "run"> & Pick<Action, "answers">,
): Action => action({ ...parts, parse: serverOf, inDirectMessages: true });

/** `knowing`: what the question under which the button stands said is still under way. */
const disconnectingFrom = (knowing: "nothing" | "unfinished"): Action =>
  directAction({
    kind: "write",
    answers: "update",
    run: async (guildId, { userId, locale }, { accounts }) => {
      const guildName = await accounts.guildName(guildId);
      if (!(await accounts.disconnect(guildId, userId, knowing)))
        throw new UserError({ kind: "nothing_connected" });
      return disconnectedFromView(guildId, guildName, locale);
    },
  });

const changingConsentIn = (consent: boolean): Action =>
  directAction({
    kind: "write",
    answers: "update",
    run: async (guildId, { userId, locale }, { accounts }) => {
      await accounts.setReportConsent(guildId, userId, consent);
      return reportConsentView(consent, guildId, await accounts.guildName(guildId), locale);
    },
  });

/** Buttons and menus about one of a person's connections, from outside of its server. */
const directChoices = {
  qual: directAction({ kind: "read", answers: "new", run: questionAbout }),
  todas: action({
    kind: "read",
    answers: "update",
    inDirectMessages: true,
    parse: () => undefined,
    run: (_, invocation, services) => connectionsReply(invocation, services),
  }),
  "apagar-de": disconnectingFrom("nothing"),
  "largar-de": disconnectingFrom("unfinished"),
  "postar-em": changingConsentIn(true),
  "parar-em": changingConsentIn(false),
} as const;

/** Ids of offers are 16 bytes in base64url. */
const OFFER_ID = /^[\w-]{22}$/;

/** A member's first key is connected by an admin; a further one waits for the member's word. */
const connectMemberReply = async (
  request: ConnectRequest,
  { accounts, keyOffers }: Services,
): Promise<Reply> => {
  const offer = await keyOffers.offer(request);
  return offer === undefined
    ? connectedForView(await accounts.connect(request), request.locale)
    : memberAskedView(offer, request.locale);
};

/** The member's answer, by a button of the direct message that asked. Whose it is to give, the offer itself says. */
const answer = (end: "accepted" | "refused"): Action =>
  action({
    kind: "write",
    answers: "update",
    inDirectMessages: true,
    parse: ({ argument }) => {
      if (!OFFER_ID.test(argument)) throw new UserError({ kind: "outdated_component" });
      return argument;
    },
    run: async (offerId, { userId, locale }, { keyOffers }) => {
      if (end === "accepted") await keyOffers.accept(offerId, userId, locale);
      else await keyOffers.refuse(offerId, userId);
      return offerAnsweredView(end, locale);
    },
  });

const offerAnswers = { trocar: answer("accepted"), negar: answer("refused") } as const;

const KEY_FIELD = "api_key";

const keyForm = (ownerId: string, { locale }: Invocation): Modal =>
  connectModal(customId("conta", "conectar", ownerId), KEY_FIELD, locale);

/** A key is connected to a server. @throws UserError connect_in_server */
const requireServer = (invocation: Invocation): void => {
  if (isDirect(invocation)) throw new UserError({ kind: "connect_in_server" });
};

/** `knowing`: what the question under which the button stands said is still under way. */
const disconnecting = (knowing: "nothing" | "unfinished"): Action =>
  action({
    kind: "write",
    answers: "update",
    parse: ownButton,
    run: async (_, { guildId, userId, locale }, { accounts }) => {
      const removed = await accounts.disconnect(guildId, userId, knowing);
      if (!removed) throw new UserError({ kind: "nothing_to_disconnect" });
      return disconnectedView(locale);
    },
  });

export const conta = defineCommand({
  definition: {
    ...command("conta", ({ conta }) => conta.self, [
      subcommand("conectar", ({ conta }) => conta.conectar, [
        option("user", "membro", ({ conta }) => conta.membro),
      ]),
      subcommand("ver", ({ conta }) => conta.ver),
      subcommand("desconectar", ({ conta }) => conta.desconectar),
    ]),
    // Who left a server, or never saw a command of it again, still has its key here.
    ...inGuildsAndDirect,
  },
  handlers: {
    conectar: handler({
      kind: "modal",
      inDirectMessages: true,
      parse: (options, invocation) => {
        requireServer(invocation);
        return keyOwner(options.user("membro"), invocation);
      },
      run: keyForm,
    }),
    ver: handler({
      kind: "read",
      inDirectMessages: true,
      parse: () => undefined,
      run: (_, invocation, services) =>
        isDirect(invocation)
          ? connectionsReply(invocation, services)
          : accountReply(invocation, services),
    }),
    desconectar: handler({
      kind: "read",
      inDirectMessages: true,
      parse: () => undefined,
      run: async (_, invocation, services) => {
        if (isDirect(invocation)) return await disconnectDirectReply(invocation, services);
        const { guildId, userId, locale } = invocation;
        const account = await services.accounts.find(guildId, userId);
        if (account === undefined) throw new UserError({ kind: "nothing_to_disconnect" });
        const unfinished = await services.accounts.unfinished(account, userId);
        const losses = await services.accounts.losses(account);
        const ids = {
          disconnect: customId("conta", unfinished ? "largar" : "apagar", userId),
          replace: customId("conta", "outra", userId),
          keep: customId("conta", "manter", userId),
        };
        return disconnectHereQuestion({ account, unfinished, losses, locale }, ids);
      },
    }),
  },
  actions: {
    formulario: action({
      kind: "modal",
      answers: "new",
      inDirectMessages: true,
      parse: (_, invocation) => {
        requireServer(invocation);
        return invocation.userId;
      },
      run: keyForm,
    }),
    conectar: action({
      kind: "write",
      answers: "new",
      parse: (input, invocation) => ({
        ownerId: keyOwnerOf(input, invocation),
        apiKey: new Secret(input.fields.get(KEY_FIELD) ?? ""),
      }),
      run: async ({ ownerId, apiKey }, invocation, services) => {
        const { guildId, userId, guildLocale, locale } = invocation;
        const request = { guildId, ownerId, connectedBy: userId, apiKey, guildLocale, locale };
        if (ownerId !== userId) return await connectMemberReply(request, services);
        const account = await services.accounts.connect(request);
        return connectedView(await accountFacts(account, invocation, services));
      },
    }),
    ...ownChoices,
    ...directChoices,
    ...offerAnswers,
    apagar: disconnecting("nothing"),
    largar: disconnecting("unfinished"),
    outra: action({
      kind: "modal",
      answers: "new",
      parse: ownButton,
      run: (_, invocation) => keyForm(invocation.userId, invocation),
    }),
    manter: action({
      kind: "read",
      answers: "update",
      parse: ownButton,
      run: (_, invocation, services) => accountReply(invocation, services),
    }),
  },
});
