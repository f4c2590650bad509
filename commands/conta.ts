import {
  type Action,
  action,
  type ActionInput,
  type ChosenUser,
  defineCommand,
  handler,
  type HandlerParts,
  type Invocation,
} from "#src/discord/command.ts";
import { hasDirectReport } from "#src/accounts/account.ts";
import type { ConnectRequest } from "#src/accounts/accounts.service.ts";
import { asItComes } from "#src/reports/report-schedule.ts";
import type { Services } from "#src/services.ts";
import { UserError } from "#src/shared/errors.ts";
import { connectedView, connectModal } from "#src/accounts/account.view.ts";
import {
  disconnectedView,
  type DisconnectFacts,
  disconnectHereQuestion,
} from "#src/accounts/disconnect.view.ts";
import type { Modal, Reply } from "#src/ui/reply.ts";
import { DIRECT_MESSAGE } from "#src/discord/interaction.ts";
import { isDiscordId, isOwnId } from "#src/shared/ids.ts";
import { managesServer } from "#src/shared/permissions.ts";
import {
  connectedForView,
  connectionsView,
  disconnectedFromView,
  disconnectFromQuestion,
  memberAskedView,
  offerAcceptedView,
  offerRefusedView,
  reportAgreedView,
  reportStoppedView,
} from "#src/accounts/connections.view.ts";
import { limits } from "#src/ui/embed.ts";
import { inGuildsAndDirect } from "#src/shared/discord-enums.ts";
import { Secret } from "#src/shared/secret.ts";
import { accountFacts, accountReply, ownChoices } from "./conta-ver.ts";
import { after, answeredQuestion, outdated, ownButton } from "./component-input.ts";
import { command, option, subcommand } from "./definition.ts";
import type { WebhookFacts } from "#src/webhooks/webhooks.service.ts";
import {
  webhookQuestionView,
  webhookRemovedView,
  webhookView,
} from "#src/webhooks/webhook.view.ts";

const hasNoServer = ({ guildId }: Invocation): boolean => guildId === DIRECT_MESSAGE;

/** All connections of the person, in every server. @throws UserError nothing_connected */
const connectionsReply = async (
  _: unknown,
  { userId, locale }: Invocation,
  { accounts }: Services,
): Promise<Reply> => {
  const all = await accounts.ofOwner(userId);
  if (all.length === 0) throw new UserError({ kind: "nothing_connected" });
  await accounts.noteLocale(userId, locale);
  const more = Math.max(0, all.length - limits.selectOptions);
  return connectionsView(all, more, locale);
};

/** `isAnew`: an earlier answer was to a question that no longer holds. */
const questionFacts = async (
  guildId: string,
  { userId, locale }: Invocation,
  { accounts }: Services,
  isAnew: boolean,
): Promise<DisconnectFacts | undefined> => {
  const account = await accounts.find(guildId, userId);
  return account && { account, ...(await accounts.disconnection(account)), isAnew, locale };
};

/** Asks whether to delete the person's key of that server. @throws UserError nothing_connected */
const questionAbout = async (
  guildId: string,
  invocation: Invocation,
  services: Services,
  isAnew = false,
): Promise<Reply> => {
  const facts = await questionFacts(guildId, invocation, services, isAnew);
  if (facts === undefined) throw new UserError({ kind: "nothing_connected" });
  return disconnectFromQuestion(facts, await services.accounts.guildName(guildId));
};

/** The same inside the server. @throws UserError nothing_to_disconnect */
export const questionHere = async (
  invocation: Invocation,
  services: Services,
  isAnew = false,
): Promise<Reply> => {
  const facts = await questionFacts(invocation.guildId, invocation, services, isAnew);
  if (facts === undefined) throw new UserError({ kind: "nothing_to_disconnect" });
  return disconnectHereQuestion(facts);
};

/** `/conta desconectar` in a direct message: asks to confirm a single connection, or to choose among several. */
const disconnectDirectReply = async (
  invocation: Invocation,
  services: Services,
): Promise<Reply> => {
  const [first, second] = await services.accounts.accountsOf(invocation.userId);
  return first !== undefined && second === undefined
    ? await questionAbout(first.guildId, invocation, services)
    : await connectionsReply(undefined, invocation, services);
};

/**
 * The server that a button or a menu names. Its id is untrusted, and harmless: handlers look up only the person's own
 * connection there. @throws UserError outdated_component
 */
const serverOf = ({ values: [chosen], argument }: ActionInput): string => {
  const guildId = chosen ?? argument;
  return isDiscordId(guildId) ? guildId : outdated();
};

const directAction = (
  parts: Pick<HandlerParts<ActionInput, string>, "kind" | "run"> & Pick<Action, "answers">,
): Action => action({ ...parts, parse: serverOf, inDirectMessages: true });

/** Button that answers a question, also in direct messages. */
const answering = (
  run: HandlerParts<ActionInput, ReturnType<typeof answeredQuestion>>["run"],
): Action =>
  action({
    kind: "write",
    answers: "update",
    inDirectMessages: true,
    parse: answeredQuestion,
    run,
  });

const disconnectingFrom = answering(
  async ({ about: guildId, questionId }, invocation, services) => {
    const { accounts } = services;
    const guildName = await accounts.guildName(guildId);
    const left = await accounts.disconnect(guildId, invocation.userId, questionId);
    if (left === undefined) throw new UserError({ kind: "nothing_connected" });
    if (left === "changed") return await questionAbout(guildId, invocation, services, true);
    return disconnectedFromView(guildId, guildName, left.directGoesOn, invocation.locale);
  },
);

const agreeingIn = directAction({
  kind: "write",
  answers: "update",
  run: async (guildId, { userId, locale, createdAt }, { accounts, reportRoutes }) => {
    const account = await accounts.chooseReport(guildId, userId, "channel", locale);
    const guildName = await accounts.guildName(guildId);
    const facts = { account, guildName, hasLeft: await accounts.isGone(account) };
    const route = await reportRoutes.find(guildId);
    return reportAgreedView(facts, route && asItComes(route, createdAt), locale);
  },
});

/** `whole`: also the report by direct message, which a message about the channel does not name. */
const stoppingIn = (whole: boolean): Action =>
  directAction({
    kind: "write",
    answers: "update",
    run: async (guildId, { userId, locale }, { accounts }) => {
      const account = whole
        ? await accounts.chooseReport(guildId, userId, "off", locale)
        : await accounts.leaveChannel(guildId, userId, locale);
      const goesOn = hasDirectReport(account, await accounts.accountsOf(userId));
      const stopped = goesOn ? "stoppedHere" : "stopped";
      const answer = account.reportDirect ? "directStays" : stopped;
      return reportStoppedView(answer, guildId, await accounts.guildName(guildId), locale);
    },
  });

/** Buttons and menus, in direct messages, about one connection of the person. */
const directChoices = {
  qual: directAction({ kind: "read", answers: "new", run: questionAbout }),
  todas: action({
    kind: "read",
    answers: "update",
    inDirectMessages: true,
    parse: () => undefined,
    run: connectionsReply,
  }),
  "apagar-de": disconnectingFrom,
  "postar-em": agreeingIn,
  "parar-em": stoppingIn(false),
  "parar-tudo-em": stoppingIn(true),
} as const;

/** Connects a member's first key at once; a replacement first asks the member. */
const connectMemberReply = async (
  request: ConnectRequest,
  { accounts, keyOffers }: Services,
): Promise<Reply> => {
  const offer = await keyOffers.offer(request);
  return offer === undefined
    ? connectedForView(await accounts.connect(request), request.locale)
    : memberAskedView(offer, request.locale);
};

/** A button about an id of ours. The service checks that it is the person's. */
const byOwnId = (run: HandlerParts<ActionInput, string>["run"]): Action =>
  action({
    kind: "write",
    answers: "update",
    inDirectMessages: true,
    parse: ({ argument }) => (isOwnId(argument) ? argument : outdated()),
    run,
  });

const offerAnswers = {
  trocar: byOwnId(async (offerId, { userId, locale }, { keyOffers }) =>
    offerAcceptedView(await keyOffers.accept(offerId, userId, locale), locale),
  ),
  negar: byOwnId(async (offerId, { userId, locale }, { keyOffers }) => {
    await keyOffers.refuse(offerId, userId);
    return offerRefusedView(locale);
  }),
} as const;

const KEY_FIELD = "api_key";

/** Owner of the key to connect: the person, or a member if the person manages the server. @throws UserError */
const keyOwner = (
  member: ChosenUser | undefined,
  { userId, memberPermissions }: Invocation,
): string => {
  if (member === undefined || member.id === userId) return userId;
  if (!managesServer(memberPermissions)) throw new UserError({ kind: "manage_server_required" });
  if (member.bot) throw new UserError({ kind: "member_is_bot" });
  if (!member.isMember) throw new UserError({ kind: "member_not_found" });
  return member.id;
};

/** Owner of the key, from the id of the submitted form: the service asks Discord about a member. @throws UserError */
const keyOwnerOf = ({ argument: id }: ActionInput, invocation: Invocation): string =>
  isDiscordId(id) ? keyOwner({ id, bot: false, isMember: true }, invocation) : outdated();

const keyForm = (ownerId: string, { locale }: Invocation): Modal =>
  connectModal(ownerId, KEY_FIELD, locale);

/** `keepsWallet`: only a key of the present key's wallet account is taken. */
const connecting = (keepsWallet: boolean): Action =>
  action({
    kind: "write",
    answers: "new",
    parse: (input, invocation) => ({
      ownerId: keyOwnerOf(input, invocation),
      apiKey: new Secret(input.fields.get(KEY_FIELD) ?? ""),
    }),
    run: async ({ ownerId, apiKey }, invocation, services) => {
      const { guildId, userId: connectedBy, guildLocale, locale } = invocation;
      const typed = { guildId, ownerId, connectedBy, apiKey, guildLocale, locale };
      if (ownerId !== connectedBy) return await connectMemberReply(typed, services);
      const account = await services.accounts.connect({ ...typed, keepsWallet });
      const facts = await accountFacts(account, invocation, services);
      return connectedView({ ...facts, lost: account.lost });
    },
  });

/** A key belongs to a server. @throws UserError connect_in_server */
const requireServer = (_: unknown, invocation: Invocation): void => {
  if (hasNoServer(invocation)) throw new UserError({ kind: "connect_in_server" });
};

const disconnecting = action({
  kind: "write",
  answers: "update",
  parse: (input, invocation) => {
    const { about, questionId } = answeredQuestion(input);
    ownButton({ ...input, argument: about }, invocation);
    return questionId;
  },
  run: async (questionId, invocation, services) => {
    const { guildId, userId, locale } = invocation;
    const left = await services.accounts.disconnect(guildId, userId, questionId);
    if (left === undefined) throw new UserError({ kind: "nothing_to_disconnect" });
    if (left === "changed") return await questionHere(invocation, services, true);
    return disconnectedView(left.directGoesOn, locale);
  },
});

const webhookReply = (facts: WebhookFacts, { locale }: Invocation) =>
  webhookView({ ...facts, locale });

const askingAbout = (change: Parameters<typeof webhookQuestionView>[0]): Action =>
  byOwnId(async (watchId, invocation, { webhooks }) => {
    const facts = await webhooks.read(watchId, invocation.userId);
    if (facts.webhook === undefined) return webhookReply(facts, invocation);
    return webhookQuestionView(change, watchId, facts.webhook, invocation.locale);
  });

const webhookActions: Readonly<Record<string, Action>> = {
  "gancho-ver": byOwnId(async (watchId, invocation, { webhooks }) =>
    webhookReply(await webhooks.read(watchId, invocation.userId), invocation),
  ),
  "gancho-perguntar-troca": askingAbout("replacement"),
  "gancho-perguntar-fim": askingAbout("removal"),
  "gancho-trocar": answering(async ({ about: watchId, questionId }, invocation, { webhooks }) =>
    webhookReply(await webhooks.replace(watchId, invocation.userId, questionId), invocation),
  ),
  "gancho-desligar": answering(
    async ({ about: watchId, questionId }, { userId, locale }, { webhooks }) => {
      await webhooks.remove(watchId, userId, questionId);
      return webhookRemovedView(locale);
    },
  ),
};

export const conta = defineCommand({
  definition: {
    ...command("conta", ({ conta }) => conta.self, [
      subcommand("conectar", ({ conta }) => conta.conectar, [
        option("user", "membro", ({ conta }) => conta.membro),
      ]),
      subcommand("ver", ({ conta }) => conta.ver),
      subcommand("desconectar", ({ conta }) => conta.desconectar),
      subcommand("webhook", ({ conta }) => conta.webhook),
    ]),
    // A person who left a server can still delete the key that they connected there.
    ...inGuildsAndDirect,
  },
  handlers: {
    conectar: handler({
      kind: "modal",
      inDirectMessages: true,
      parse: after(requireServer, (options, invocation) =>
        keyOwner(options.user("membro"), invocation),
      ),
      run: keyForm,
    }),
    ver: handler({
      kind: "read",
      inDirectMessages: true,
      parse: () => undefined,
      run: (_, invocation, services) =>
        (hasNoServer(invocation) ? connectionsReply : accountReply)(_, invocation, services),
    }),
    desconectar: handler({
      kind: "read",
      inDirectMessages: true,
      parse: () => undefined,
      run: (_, invocation, services) =>
        (hasNoServer(invocation) ? disconnectDirectReply : questionHere)(invocation, services),
    }),
    webhook: handler({
      kind: "write",
      inDirectMessages: "as_owner",
      parse: () => undefined,
      run: async (_, invocation, { webhooks }) =>
        webhookReply(await webhooks.open(invocation.guildId, invocation.userId), invocation),
    }),
  },
  actions: {
    formulario: action({
      kind: "modal",
      answers: "new",
      inDirectMessages: true,
      parse: after(requireServer, (_, { userId }) => userId),
      run: keyForm,
    }),
    conectar: connecting(false),
    substituir: connecting(true),
    ...ownChoices,
    ...directChoices,
    ...offerAnswers,
    ...webhookActions,
    apagar: disconnecting,
    outra: action({
      kind: "modal",
      answers: "new",
      parse: ownButton,
      run: (_, { userId, locale }) => connectModal(userId, KEY_FIELD, locale, true),
    }),
    manter: action({ kind: "read", answers: "update", parse: ownButton, run: accountReply }),
  },
});
