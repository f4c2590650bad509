import { action, defineCommand, handler } from "#src/discord/command-kit.ts";
import { inGuilds, optionType } from "#src/shared/discord-enums.ts";
import { Secret } from "#src/shared/secret.ts";
import { UserError } from "#src/shared/errors.ts";
import { described } from "#src/texts/described.ts";
import { accountView, connectedForView, connectedView, connectModal } from "#src/views/account.ts";
import { disconnectedView, disconnectQuestion } from "#src/views/disconnect.ts";
import { accountFacts, keyOwner, keyOwnerOf, ownAccount, ownButton } from "./parts/conta.ts";
import { customId } from "#src/discord/custom-id.ts";

const KEY_FIELD = "api_key";

const setConsent = (consent: boolean) =>
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

export const conta = defineCommand({
  definition: {
    ...inGuilds,
    name: "conta",
    ...described(({ conta }) => conta.self),
    options: [
      {
        type: optionType.subcommand,
        name: "conectar",
        ...described(({ conta }) => conta.conectar),
        options: [
          { type: optionType.user, name: "membro", ...described(({ conta }) => conta.membro) },
        ],
      },
      { type: optionType.subcommand, name: "ver", ...described(({ conta }) => conta.ver) },
      {
        type: optionType.subcommand,
        name: "desconectar",
        ...described(({ conta }) => conta.desconectar),
      },
    ],
  },
  handlers: {
    conectar: handler({
      kind: "modal",
      parse: (options, invocation) => keyOwner(options.user("membro"), invocation),
      run: (ownerId, { locale }) =>
        connectModal(customId("conta", "conectar", ownerId), KEY_FIELD, locale),
    }),
    ver: handler({
      kind: "read",
      parse: () => undefined,
      run: async (_, invocation, services) =>
        accountView(
          await accountFacts(await ownAccount(invocation, services), invocation, services),
        ),
    }),
    desconectar: handler({
      kind: "read",
      parse: () => undefined,
      run: async (_, invocation, services) => {
        const { userId, locale } = invocation;
        const ids = {
          disconnect: customId("conta", "apagar", userId),
          keep: customId("conta", "manter", userId),
        };
        return disconnectQuestion(await ownAccount(invocation, services), ids, locale);
      },
    }),
  },
  actions: {
    conectar: action({
      kind: "write",
      answers: "new",
      parse: (input, invocation) => ({
        ownerId: keyOwnerOf(input, invocation),
        apiKey: new Secret(input.fields.get(KEY_FIELD) ?? ""),
      }),
      run: async ({ ownerId, apiKey }, invocation, services) => {
        const { guildId, userId, guildLocale, locale } = invocation;
        const request = { guildId, ownerId, connectedBy: userId, apiKey, guildLocale };
        const account = await services.accounts.connect(request);
        return ownerId === userId
          ? connectedView(await accountFacts(account, invocation, services))
          : connectedForView(account, locale);
      },
    }),
    aceitar: setConsent(true),
    recusar: setConsent(false),
    apagar: action({
      kind: "write",
      answers: "update",
      parse: ownButton,
      run: async (_, { guildId, userId, locale }, { accounts }) => {
        const removed = await accounts.disconnect(guildId, userId);
        if (!removed) throw new UserError({ kind: "not_connected" });
        return disconnectedView(locale);
      },
    }),
    manter: action({
      kind: "read",
      answers: "update",
      parse: ownButton,
      run: async (_, invocation, services) =>
        accountView(
          await accountFacts(await ownAccount(invocation, services), invocation, services),
        ),
    }),
  },
});
