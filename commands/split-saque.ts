import { defineCommand, handler } from "#src/discord/command.ts";
import { command } from "./definition.ts";
import {
  actorOf,
  chosenRecipient,
  keyAndSpeed,
  recipientOption,
  suggestKeys,
  typedKeyAndSpeed,
  withdrawReply,
} from "./withdraw-input.ts";

/** Its buttons are those of `/saque`: the token says what is confirmed. */
export const splitSaque = defineCommand({
  definition: command("split-saque", ({ splitSaque }) => splitSaque.self, [
    recipientOption,
    ...keyAndSpeed,
  ]),
  handlers: handler({
    kind: "write",
    parse: (options, invocation) => ({
      what: {
        kind: "split" as const,
        recipientId: chosenRecipient(options.user("recebedor"), invocation),
      },
      ...typedKeyAndSpeed(options),
    }),
    run: async (order, invocation, { withdrawals }) => {
      const actor = actorOf(invocation);
      return withdrawReply(await withdrawals.prepare({ actor, ...order }), invocation.locale);
    },
  }),
  autocomplete: suggestKeys,
});
