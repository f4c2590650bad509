import { defineCommand, handler } from "#src/discord/command.ts";
import { balanceView } from "#src/balance/balance.view.ts";
import { command } from "./definition.ts";

export const saldo = defineCommand({
  inDirectMessages: "as_owner",
  definition: command("saldo", ({ saldo }) => saldo.self, []),
  handlers: handler({
    kind: "read",
    parse: () => undefined,
    run: async (_, invocation, { balance }) =>
      balanceView({
        ...(await balance.read(invocation)),
        inGuild: invocation.fromDirectMessage !== true,
        locale: invocation.locale,
      }),
  }),
});
