import { action, defineCommand, handler } from "#src/discord/command.ts";
import { lockView } from "#src/views/money/guards.ts";
import { command } from "./definition.ts";
import { ownButton } from "./component-input.ts";

export const travar = defineCommand({
  inDirectMessages: true,
  definition: command("travar", ({ travar }) => travar.self, []),
  handlers: handler({
    kind: "write",
    stopsMoney: true,
    parse: () => undefined,
    run: async (_, invocation, { guards }) =>
      lockView(await guards.lock(invocation), invocation.locale),
  }),
  actions: {
    /** Also stands under notices of external withdrawals, which must stay as they are. */
    agora: action({
      kind: "write",
      stopsMoney: true,
      answers: "new",
      inDirectMessages: true,
      parse: ownButton,
      run: async (_, invocation, { guards }) =>
        lockView(await guards.lock(invocation), invocation.locale),
    }),
    destravar: action({
      kind: "write",
      answers: "update",
      inDirectMessages: true,
      parse: ownButton,
      run: async (_, invocation, { guards }) =>
        lockView(await guards.askUnlock(invocation), invocation.locale),
    }),
  },
});
