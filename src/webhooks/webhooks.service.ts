import type { Account } from "../accounts/account.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import type { Clock } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";
import type { Random } from "../shared/random.ts";
import type { CallsAbout } from "./calls.service.ts";
import type { WebhookView } from "./webhook.view.ts";
import { addressQuestionIdOf, newSecret, type SecretHashes, webhookAddress } from "./webhook.ts";
import type { Webhooks } from "./webhooks.store.ts";

export type WebhookFacts = Omit<WebhookView, "locale">;

interface WebhookNeeds {
  readonly clock: Clock;
  readonly random: Pick<Random, "bytes">;
  readonly hashes: SecretHashes;
  readonly accounts: Pick<AccountsStore, "find" | "ofWatch">;
  readonly webhooks: Pick<Webhooks, "find" | "make" | "remove">;
  readonly calls: readonly Pick<CallsAbout, "trustedUntil">[];
  /** Undefined when it is not set. */
  readonly publicUrl: string | undefined;
}

export const createWebhooksService = (needs: WebhookNeeds) => {
  const { clock, accounts, webhooks, publicUrl } = needs;

  /** The account of a button. Its watch ends with its last key: the person may have connected another since. */
  const ofWatch = async (watchId: string, userId: string): Promise<Account> => {
    const found = await accounts.ofWatch(watchId);
    if (found?.told.ownerId !== userId) throw new UserError({ kind: "outdated_component" });
    return found.told;
  };

  const requireAddress = (): string => {
    if (publicUrl === undefined) throw new UserError({ kind: "webhook_not_set_up" });
    return publicUrl;
  };

  const factsOf = async (account: Account, address: string | undefined): Promise<WebhookFacts> => ({
    watchId: account.watchId,
    webhook: await webhooks.find(account),
    address,
    isTrusted: needs.calls.some(
      ({ trustedUntil }) => trustedUntil(account.accountFp) !== undefined,
    ),
  });

  /** Undefined when `instead` is no longer the person's address. @throws UserError webhook_not_set_up */
  const make = async (
    account: Account,
    instead?: Temporal.Instant,
  ): Promise<WebhookFacts | undefined> => {
    const { token, secretHash } = newSecret(needs.random, needs.hashes);
    const address = webhookAddress(requireAddress(), token);
    const { accountFp, ownerId } = account;
    const made = await webhooks.make({ accountFp, ownerId }, secretHash, clock.now(), instead);
    return made ? await factsOf(account, address) : undefined;
  };

  return {
    /** The state of the person's address; makes the first one. @throws UserError webhook_not_set_up, not_connected */
    open: async (guildId: string, userId: string): Promise<WebhookFacts> => {
      requireAddress();
      const account = await accounts.find(guildId, userId);
      if (account === undefined) throw new UserError({ kind: "not_connected" });
      const facts = await factsOf(account, undefined);
      if (facts.webhook !== undefined) return facts;
      // The first one may have been made and shown since, on another device.
      return (await make(account)) ?? (await factsOf(account, undefined));
    },
    /** The state behind a button. @throws UserError outdated_component */
    read: async (watchId: string, userId: string): Promise<WebhookFacts> =>
      await factsOf(await ofWatch(watchId, userId), undefined),
    /** Replaces the address of the answered question by a new one. @throws UserError webhook_not_set_up, outdated_component */
    replace: async (watchId: string, userId: string, questionId: string): Promise<WebhookFacts> => {
      const account = await ofWatch(watchId, userId);
      const madeAt = (await webhooks.find(account))?.madeAt;
      if (madeAt === undefined || addressQuestionIdOf(watchId, madeAt) !== questionId)
        throw new UserError({ kind: "outdated_component" });
      const made = await make(account, madeAt);
      if (made === undefined) throw new UserError({ kind: "outdated_component" });
      return made;
    },
    /** Removes the address of the answered question, unless it is gone already. @throws UserError outdated_component */
    remove: async (watchId: string, userId: string, questionId: string): Promise<void> => {
      const account = await ofWatch(watchId, userId);
      const madeAt = (await webhooks.find(account))?.madeAt;
      if (madeAt === undefined) return;
      if (addressQuestionIdOf(watchId, madeAt) !== questionId)
        throw new UserError({ kind: "outdated_component" });
      const { accountFp, ownerId } = account;
      const isRemoved = await webhooks.remove({ accountFp, ownerId }, madeAt, clock.now());
      // Another one may have been made and shown since, on another device.
      if (!isRemoved && (await webhooks.find(account)) !== undefined)
        throw new UserError({ kind: "outdated_component" });
    },
  };
};
