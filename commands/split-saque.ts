import { defineCommand, handler } from "#src/discord/command.ts";
import { command } from "./definition.ts";
import {
  chosenRecipient,
  keyAndSpeed,
  prepareReply,
  recipientOption,
  suggestKeys,
  typedKeyAndSpeed,
} from "./withdraw-input.ts";

/** Its buttons are the actions of `/saque`: the token names the operation. */
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
    run: prepareReply,
  }),
  autocomplete: suggestKeys,
});
