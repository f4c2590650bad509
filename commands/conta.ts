import {
  type Action,
  action,
  defineCommand,
  handler,
  type Invocation,
} from "#src/discord/command.ts";
import { customId } from "#src/discord/custom-id.ts";
import { inGuildsAndDirect } from "#src/shared/discord-enums.ts";
import { UserError } from "#src/shared/errors.ts";
import { Secret } from "#src/shared/secret.ts";
import {
  connectedView,
  connectModal,
  disconnectedView,
  disconnectHereQuestion,
} from "#src/views/account.ts";
import type { Modal } from "#src/views/reply.ts";
import { accountFacts, accountReply, ownChoices } from "./parts/conta.ts";
import {
  connectionsReply,
  directChoices,
  disconnectDirectReply,
  isDirect,
} from "./parts/conta-direct.ts";
import { connectMemberReply, offerAnswers } from "./parts/conta-offer.ts";
import { keyOwner, keyOwnerOf, ownButton } from "./parts/key-owner.ts";
import { command, option, subcommand } from "./parts/definition.ts";

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
