import { action, defineCommand, handler, type Invocation } from "#src/discord/command.ts";
import type { Services } from "#src/services.ts";
import { lockView } from "#src/money-guards/money-guards.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import { command } from "./definition.ts";
import { ownButton } from "./component-input.ts";

const lock = async (_: unknown, invocation: Invocation, { guards }: Services): Promise<Reply> =>
  lockView(await guards.lock(invocation), invocation.locale);

export const travar = defineCommand({
  inDirectMessages: true,
  definition: command("travar", ({ travar }) => travar.self, []),
  handlers: handler({
    kind: "write",
    stopsMoney: true,
    parse: () => undefined,
    run: lock,
  }),
  actions: {
    /** Also stands under notices of external withdrawals, which must stay as they are. */
    agora: action({
      kind: "write",
      stopsMoney: true,
      answers: "new",
      inDirectMessages: true,
      parse: ownButton,
      run: lock,
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
