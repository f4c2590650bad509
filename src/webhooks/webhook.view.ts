import type { Locale } from "../shared/locale.ts";
import { inline, line } from "../ui/embed.ts";
import { fullAndRelative } from "../ui/format.ts";
import { buttonRow, customIdOf, reply, type Reply } from "../ui/reply.ts";
import { webhookTexts } from "./texts.ts";
import { addressQuestionIdOf, type Webhook } from "./webhook.ts";

export interface WebhookView {
  readonly watchId: string;
  /** Undefined without one. */
  readonly webhook: Webhook | undefined;
  /** The address, in the answer that made it and never again. */
  readonly address: string | undefined;
  /** Whether calls, of whichever owner, announced the account's latest news, so that the bot looks by itself less often. */
  readonly isTrusted: boolean;
  readonly locale: Locale;
}

/** Custom ids by watch; `commands/conta.ts` handles them. */
const ids = {
  state: customIdOf("conta", "gancho-ver"),
  askReplacement: customIdOf("conta", "gancho-perguntar-troca"),
  askRemoval: customIdOf("conta", "gancho-perguntar-fim"),
  replace: customIdOf("conta", "gancho-trocar"),
  remove: customIdOf("conta", "gancho-desligar"),
} as const;

/** The new address, alone in a text that a phone can copy; or the state of the one that there is. */
export const webhookView = (facts: WebhookView): Reply => {
  const { watchId, webhook: found, address, isTrusted } = facts;
  const { webhook } = webhookTexts(facts.locale);
  if (address !== undefined) {
    const parts = {
      title: webhook.made,
      description: webhook.madeText,
      fields: [line(webhook.once, webhook.onceText)],
    };
    // A button here would take the address from the screen before it was copied.
    return { ...reply(parts), content: `\`\`\`\n${address}\n\`\`\`` };
  }
  if (found === undefined) return webhookRemovedView(facts.locale);
  const buttons = buttonRow(
    { id: ids.askReplacement(watchId), label: webhook.replace, style: "secondary" },
    { id: ids.askRemoval(watchId), label: webhook.remove, style: "danger" },
  );
  const { madeAt, lastCallAt, isFromCopy } = found;
  const since = inline(webhook.since, fullAndRelative(madeAt));
  if (isFromCopy) {
    const { stale: title, staleText: description } = webhook;
    return reply({ tone: "warning", title, description, fields: [since] }, buttons);
  }
  return reply(
    {
      title: webhook.on,
      description: webhook.onText,
      fields: [
        since,
        inline(
          webhook.lastCall,
          lastCallAt === undefined ? webhook.noCall : fullAndRelative(lastCallAt),
        ),
        // Without a call here, the trusted ones are those to another owner's address.
        ...(isTrusted && lastCallAt === undefined
          ? []
          : [line(webhook.trust, isTrusted ? webhook.proven : webhook.notProven)]),
      ],
    },
    buttons,
  );
};

/** The button that keeps the address stands alone in the place of those before: a double tap changes no address. */
export const webhookQuestionView = (
  change: "replacement" | "removal",
  watchId: string,
  { madeAt }: Pick<Webhook, "madeAt">,
  locale: Locale,
): Reply => {
  const { webhook } = webhookTexts(locale);
  const [title, description, act] =
    change === "replacement"
      ? [webhook.askReplacement, webhook.askReplacementText, webhook.replaceNow]
      : [webhook.askRemoval, webhook.askRemovalText, webhook.removeNow];
  const about = `${watchId}.${addressQuestionIdOf(watchId, madeAt)}`;
  const id = change === "replacement" ? ids.replace(about) : ids.remove(about);
  return reply(
    { tone: "warning", title, description },
    buttonRow({ id: ids.state(watchId), label: webhook.keep, style: "secondary" }),
    buttonRow({ id, label: act, style: "danger" }),
  );
};

export const webhookRemovedView = (locale: Locale): Reply => {
  const { webhook } = webhookTexts(locale);
  return { ...reply({ title: webhook.removed, description: webhook.removedText }), content: "" };
};
