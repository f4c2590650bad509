import { type Action, action, handler, type Invocation } from "#src/discord/command.ts";
import type { WebhookFacts } from "#src/webhooks/webhooks.service.ts";
import type { Services } from "#src/services.ts";
import { webhookRemovedView, webhookView } from "#src/webhooks/webhook.view.ts";
import { outdated } from "./component-input.ts";
import { subcommand } from "./definition.ts";

export const webhookSubcommand = subcommand("webhook", ({ conta }) => conta.webhook);

const shown = (facts: WebhookFacts, { locale }: Invocation) => webhookView({ ...facts, locale });

export const showWebhook = handler({
  kind: "write",
  inDirectMessages: "as_owner",
  parse: () => undefined,
  run: async (_, invocation, { webhooks }) =>
    shown(await webhooks.open(invocation.guildId, invocation.userId), invocation),
});

/** Watch ids are 16 bytes in base64url. */
const WATCH_ID = /^[\w-]{22}$/;

/** A button about the address of one watch. The service checks that it is the person's. */
const ofWatch = (
  run: (
    watchId: string,
    invocation: Invocation,
    services: Services,
  ) => Promise<ReturnType<typeof webhookView>>,
): Action =>
  action({
    kind: "write",
    answers: "update",
    inDirectMessages: true,
    parse: ({ argument }) => (WATCH_ID.test(argument) ? argument : outdated()),
    run,
  });

export const webhookActions: Readonly<Record<string, Action>> = {
  "gancho-trocar": ofWatch(async (watchId, invocation, { webhooks }) =>
    shown(await webhooks.replace(watchId, invocation.userId), invocation),
  ),
  "gancho-desligar": ofWatch(async (watchId, { userId, locale }, { webhooks }) => {
    await webhooks.remove(watchId, userId);
    return webhookRemovedView(locale);
  }),
};
