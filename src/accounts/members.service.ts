import type { Stores } from "../stores.ts";
import { isKeyUnreadable } from "./asker.service.ts";
import type { ConnectionFacts, MembersFacts } from "./connections.view.ts";
import type { removedNotice } from "./notices.view.ts";
import type { Account, ConnectionLosses, PresenceAnswer } from "./account.ts";
import type { OnRemoval } from "./accounts-write.store.ts";
import { offerEndBy, type OfferEndPayload } from "./wallet-key.ts";
import { type NewDelivery, notice } from "../delivery/delivery.ts";
import { MOST_OPTIONS } from "../shared/ids.ts";
import type { Clock } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";
import type { Locale } from "../shared/locale.ts";
import { type ConnectionsService, questionAbout } from "./accounts.service.ts";

interface MemberRemoval {
  readonly guildId: string;
  readonly ownerId: string;
  readonly adminId: string;
  readonly questionId: string;
  readonly guildLocale: Locale;
}

interface MembersNeeds
  extends
    Pick<Stores, "accounts">,
    Pick<ConnectionsService, "confirmPresence" | "hasLeft" | "losses"> {
  readonly clock: Clock;
  /** Never rejects. */
  readonly askPresence: (guildId: string, userId: string) => Promise<PresenceAnswer>;
  /** Untrusted text; undefined when Discord does not tell it. */
  readonly guildName: (guildId: string) => Promise<string | undefined>;
  readonly wake: () => void;
  readonly removedNotice: typeof removedNotice;
  readonly offerEndPayload: OfferEndPayload;
}

/** Independent of withdrawals under way and of other servers: a change would reveal them to the admin. */
const questionAboutKey = (account: Account): string => questionAbout(account, [], []).questionId;

export const createMembersService = (needs: MembersNeeds) => {
  const { accounts, clock, guildName, hasLeft } = needs;

  /** @throws UserError member_not_connected */
  const memberIn = async (guildId: string, ownerId: string): Promise<Account> => {
    const account = await accounts.find(guildId, ownerId);
    if (account === undefined) throw new UserError({ kind: "member_not_connected" });
    return account;
  };

  /** Whether the owner has left the connection's server; Discord is asked anew where its last answer says so. */
  const isGone = async (account: Account): Promise<boolean> => {
    if (!(await hasLeft(account))) return false;
    if ((await needs.askPresence(account.guildId, account.ownerId)).kind !== "here") return true;
    await needs.confirmPresence(account);
    return false;
  };

  /** All those of a wallet account, when the owner left each. */
  const stayedIn = async (owned: readonly Account[]): Promise<readonly Account[]> => {
    const left = await Promise.all(owned.map(isGone));
    const stayed = owned.filter((_, place) => left[place] === false);
    const reached = new Set(stayed.map(({ watchId }) => watchId));
    return owned.filter((each) => !reached.has(each.watchId) || stayed.includes(each));
  };

  const removalNotice =
    (adminId: string, guildLocale: Locale, losses: ConnectionLosses): OnRemoval<NewDelivery> =>
    (account, left, others) => {
      const { id, guildId, ownerId, keyLast4, locale = guildLocale } = account;
      const dedupeKey = `notice|removed_by|${id}|${adminId}`;
      const { unfinished } = questionAbout(account, left, others);
      const facts = { guildId, locale, adminId, keyLast4, unfinished, losses };
      // Not of the account: its removal would cancel this message too.
      const post = { dedupeKey, guildId, accountId: null, notBefore: clock.now() };
      return notice(ownerId, post, (reference) => needs.removedNotice({ ...facts, reference }));
    };

  return {
    guildName,
    /** A person's connections in all guilds, oldest first, without a question to Discord about their names. */
    accountsOf: accounts.ofOwner,
    /** The person reads `/conta ver` in this language: so come the messages of each server from now on. */
    noteLocale: async (ownerId: string, locale: Locale): Promise<void> => {
      const owned = await accounts.ofOwner(ownerId);
      if (owned.some((each) => each.locale !== locale)) await accounts.setLocale(ownerId, locale);
    },
    /** A person's connections in all guilds, oldest first. Only the first 25 carry their guild's name. */
    ofOwner: async (ownerId: string): Promise<readonly ConnectionFacts[]> => {
      const owned = await accounts.ofOwner(ownerId);
      return await Promise.all(
        owned.map(async (account, place) => ({
          account,
          guildName: place < MOST_OPTIONS ? await guildName(account.guildId) : undefined,
          hasLeft: await isGone(account),
          isUnreadable: await isKeyUnreadable(accounts.findByIdWithKey(account.id)),
        })),
      );
    },
    /**
     * The guild whose connection answers in direct messages: the chosen guild, or any guild when all connections share a
     * wallet account. `in_server`: the only one of that account that the person has not left.
     * @throws UserError nothing_connected, several_accounts, several_servers, outdated_component when the chosen guild has
     *   no connection of theirs
     */
    guildOf: async (
      ownerId: string,
      chosen?: string,
      place: "as_owner" | "in_server" = "as_owner",
    ): Promise<string> => {
      const all = await accounts.ofOwner(ownerId);
      if (chosen !== undefined) {
        if (all.some(({ guildId }) => guildId === chosen)) return chosen;
        throw new UserError({ kind: "outdated_component" });
      }
      const owned = place === "in_server" ? await stayedIn(all) : all;
      const [first] = owned;
      if (first === undefined) throw new UserError({ kind: "nothing_connected" });
      const areSeveral = owned.some(({ watchId }) => watchId !== first.watchId);
      if (areSeveral || (place === "in_server" && owned.length > 1)) {
        // Reports by direct message name their key alone.
        const servers = owned.map(({ guildId, keyLast4 }) =>
          areSeveral ? { guildId, keyLast4 } : { guildId },
        );
        throw new UserError({ kind: areSeveral ? "several_accounts" : "several_servers", servers });
      }
      return (owned.find(({ pausedAt }) => pausedAt === undefined) ?? first).guildId;
    },
    /** Members with a key in the guild, by page; a page past the end is the last page. */
    members: async (guildId: string, wanted: number): Promise<Omit<MembersFacts, "offers">> => {
      const { connected } = await accounts.audience(guildId);
      const pages = Math.max(1, Math.ceil(connected / MOST_OPTIONS));
      const page = Math.min(wanted, pages - 1);
      const skipped = page * MOST_OPTIONS;
      const owners = await accounts.ownersIn(guildId, skipped, MOST_OPTIONS);
      return { owners, firstPlace: skipped + 1, page, pages };
    },
    isGone,
    /** Id of an admin's question about the removal of a member's key. @throws UserError member_not_connected */
    memberQuestion: async (guildId: string, ownerId: string): Promise<string> =>
      questionAboutKey(await memberIn(guildId, ownerId)),
    /**
     * Removes a member's connection for an admin; false, without a removal: the question was about another key. The
     * member gets a direct message, which also names a withdrawal that loses its only connection, and all else that is
     * lost with the key. The admin does not learn about these.
     * @throws UserError member_not_connected
     */
    removeMember: async ({ guildId, ownerId, adminId, questionId, guildLocale }: MemberRemoval) => {
      const account = await memberIn(guildId, ownerId);
      // A withdrawal under way does not stop the removal: a refusal would reveal the member's money to the admin.
      const noticeOf = removalNotice(adminId, guildLocale, await needs.losses(account));
      const now = clock.now();
      const offerNotice = offerEndBy(adminId, "disconnected", needs.offerEndPayload, now);
      const isAsked: OnRemoval<boolean> = (present) => questionAboutKey(present) === questionId;
      const how = { offerNotice, noticeOf, isAsked };
      const removed = await accounts.remove(guildId, ownerId, adminId, now, how);
      if (removed === false) throw new UserError({ kind: "member_not_connected" });
      if (removed === "changed") return false;
      needs.wake();
      return true;
    },
  };
};
