import { HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import type { AlertStep } from "#src/disputes/dispute-alert.ts";
import type { Case, Ledger, Row, Told } from "./ledger.ts";
import { directChannel, type Message } from "./model-discord.ts";
import { beginsMs, holds, isQuiet, isReminder, isUrgent } from "./rules.ts";
import type { Standing, TrueDispute } from "./truth.ts";

/** From the last check to the message: a minute of lease, the request, and Discord's late effects. */
const MOMENT_MS = 2 * MINUTE;
/** Time after a first attempt during which it is repeated unchanged. */
const BLIND_MS = 2 * MINUTE;
/** Longest delay of a process between reading its clock and the commit. */
const HELD_MS = 4 * MINUTE;
const AROUND_MS = 30 * SECOND;
const LAST_CALL_MS = 6 * HOUR;

interface PostJudge {
  readonly onMessage: (message: Message) => void;
}

interface PostJudgeNeeds {
  readonly ledger: Ledger;
  readonly nowMs: () => number;
  readonly disputeOf: (infractionId: string) => TrueDispute | undefined;
  /** Time of the last failed read of this dispute for that account. */
  readonly lastFailureMs: (accountId: string, infractionId: string) => number | undefined;
  readonly violate: (rule: string, why: string) => void;
}

const asStanding = (row: Case, atMs: number): Standing | undefined => {
  const known = row.known.at(atMs);
  return (
    known && {
      status: known.status as Standing["status"],
      analysis: known.analysisStatus as Standing["analysis"],
      dueMs: known.dueAt.epochMilliseconds,
    }
  );
};

/** Checks each message when it appears on Discord. */
export const createPostJudge = (needs: PostJudgeNeeds): PostJudge => {
  const { ledger, nowMs, disputeOf, lastFailureMs, violate } = needs;

  const wasTrue = (told: Told, own: Case, fromMs: number, toMs: number): boolean => {
    const dispute = disputeOf(told.infractionId);
    if (dispute === undefined) return false;
    const heldAt = (standing: Standing | undefined, atMs: number): boolean =>
      standing !== undefined && holds(told.step, standing, atMs);
    const instants = dispute.standing.changes(fromMs, toMs);
    if ([...instants, toMs].some((atMs) => heldAt(dispute.standing.at(atMs), atMs))) return true;
    // A reminder may become due within the span without any change.
    const begins = beginsMs(told.step, told.dueMs) ?? told.dueMs;
    const comesWithin = begins >= fromMs && begins <= toMs;
    if (comesWithin && heldAt(dispute.standing.at(begins), begins)) return true;
    const failedMs = lastFailureMs(told.accountId, told.infractionId) ?? -Infinity;
    if (failedMs < fromMs) return false;
    return own.known
      .changes(fromMs, toMs)
      .some((atMs) => heldAt(asStanding(own, atMs), atMs) || heldAt(asStanding(own, atMs), toMs));
  };

  const truth = (told: Told, own: Case, fromMs: number): void => {
    const toMs = nowMs();
    const { step } = told;
    if (!wasTrue(told, own, fromMs, toMs)) violate("TRUE", `${step} is not true any more`);
    const isPrompt = step === "new" || isReminder(step);
    const isSilenced = !own.word.everIn(fromMs, toMs, (word) => word !== true);
    if (isPrompt && isSilenced) violate("MUTE", `${step}, and its owner said that it is answered`);
    const lastCallMs = told.dueMs - LAST_CALL_MS;
    const untilMs = Math.min(own.snoozedUntilMs.at(fromMs) ?? -Infinity, lastCallMs);
    if (isReminder(step) && toMs < untilMs) violate("SNOOZE", `${step} while it is put off`);
  };

  const place = (told: Told, own: Case, row: Row, message: Message, fromMs: number): void => {
    const { channelId } = message;
    const toMs = nowMs();
    const wants = (choice: "channel" | "direct"): boolean =>
      row.choice.everIn(fromMs, toMs, (each) => each === choice);
    const routes = ledger.routes.get(row.guildId);
    const isOpen = (atMs: number): boolean => {
      const route = routes?.at(atMs);
      return route?.active === true && route.suspendedAt === undefined;
    };
    if (channelId === directChannel(row.ownerId)) {
      // An alert addressed to its owner stays with them, and its repeat goes to the same place.
      const sinceMs = (firstOf(told, own) ?? told).atMs - AROUND_MS;
      const instants = routes?.changes(sinceMs, toMs) ?? [sinceMs];
      const fallsBack = wants("channel") && instants.some((atMs) => !isOpen(atMs));
      const wasDirect = row.choice.everIn(sinceMs, toMs, (each) => each === "direct");
      if (!fallsBack && !(wasDirect && (wants("direct") || wants("channel")))) {
        violate("PLACE", `${told.step} went to its owner, who wants it elsewhere or nowhere`);
      }
      return;
    }
    // A possible post in a channel keeps the repeat in that channel.
    const firstMs = told.attempts.find((each) => each.channelId === channelId)?.atMs ?? toMs;
    const since = Math.min(fromMs, firstMs - MOMENT_MS);
    const instants = [...(routes?.changes(since, toMs) ?? [])];
    const isChosen = instants.some(
      (atMs) => isOpen(atMs) && routes?.at(atMs)?.channelId === channelId,
    );
    if (!isChosen || !wants("channel")) {
      violate("PLACE", `${told.step} stands in ${channelId}, which nobody chose for it`);
    }
  };

  const quiet = (told: Told, row: Row, fromMs: number): void => {
    const toMs = nowMs();
    if (isUrgent(told.step, told.dueMs, told.atMs) || isUrgent(told.step, told.dueMs, toMs)) return;
    const instants = ledger.routes.get(row.guildId)?.changes(fromMs, toMs) ?? [];
    const isHeld = [...instants, toMs].every((atMs) =>
      isQuiet(ledger.routeAt(row.guildId, atMs), atMs),
    );
    if (instants.length > 0 && isHeld) violate("QUIET", `${told.step} in the quiet hours`);
  };

  const ping = (told: Told, row: Row, message: Message): void => {
    const { step, firstClaimMs = nowMs() } = told;
    const isChannel = !message.channelId.startsWith("dm-");
    const owner = isChannel && told.delivery.target.kind === "channel" ? row.ownerId : undefined;
    const routes = ledger.routes.get(row.guildId);
    // As set at one of the attempts: Discord returns the first post of a nonce.
    const roleIds = (routes?.changes(firstClaimMs - MOMENT_MS, nowMs()) ?? []).map((atMs) => {
      const route = routes?.at(atMs);
      return owner !== undefined && route?.pingSteps.includes(step) === true
        ? route.roleId
        : undefined;
    });
    const { pings } = message.body;
    const isRoleRight = roleIds.length === 0 ? !pings?.roleId : roleIds.includes(pings?.roleId);
    if (pings?.userId !== owner || !isRoleRight) {
      violate("PING", `${step} calls ${JSON.stringify(pings)}`);
    }
  };

  const once = (told: Told, own: Case, message: Message): void => {
    const text = JSON.stringify(message.body.embeds);
    if (!text.includes(told.infractionId)) violate("TEXT", "it does not name its dispute");
    const isMarked = text.includes("(reenvio:") || text.includes("(sent again:");
    if (isMarked !== told.isRepeat) violate("MARK", `${told.step} is marked wrong`);
    const isSame = (each: Told): boolean =>
      each.step === told.step &&
      (each.dueMs === told.dueMs || !(keepsDeadline(told.step) || isUnsure(each)));
    const alike = own.told.filter(isSame);
    const unmarked = alike.filter(({ isRepeat }) => !isRepeat).flatMap(({ messages }) => messages);
    const marked = alike.filter(({ isRepeat }) => isRepeat).flatMap(({ messages }) => messages);
    // An alert in flight when its owner chose another place may appear in both.
    const isMoved = unmarked.some(({ channelId }) => channelId !== message.channelId);
    // Each failed acknowledgement has the last call told once more.
    const owed = told.step === "6h" ? 1 + own.failedWordsMs.length : 1;
    if (!told.isRepeat && unmarked.length > owed && !(isMoved && wasMoved(told, own))) {
      violate("ONCE", `${told.step} stands there twice`);
    }
    const isBlind = told.troubles.has("history_refused") && told.attempts.length > 1;
    if (marked.length > owed && !isBlind) violate("ONCE", `${told.step} is repeated twice`);
    if (!told.isRepeat) return;
    const first = firstOf(told, own);
    const isUnclear =
      first !== undefined && (first.attempts.length > 0 || first.claims > first.settles);
    const isUnread =
      first?.troubles.has("history_refused") || first?.troubles.has("history_failing");
    if (!isUnclear || isUnread !== true) violate("REPEAT", `${told.step} was not unclear`);
  };

  const wasMoved = (told: Told, { accountId }: Case): boolean => {
    const row = ledger.rows.get(accountId);
    const choices = row?.choice.changes(told.atMs, nowMs()) ?? [];
    const routes = ledger.routes.get(row?.guildId ?? "")?.changes(told.atMs, nowMs()) ?? [];
    return told.attempts.length > 1 && (choices.length > 1 || routes.length > 1);
  };

  const collapsed = (told: Told, own: Case): void => {
    const begins = beginsMs(told.step, told.dueMs);
    if (begins === undefined || told.isRepeat) return;
    const first = own.told.find(({ step, dueMs }) => step === "new" && dueMs === told.dueMs);
    const news = first?.atMs ?? (own.isFollowed ? own.keptMs : undefined);
    // A failed acknowledgement makes the newest reminder due again.
    const wasSilenced = own.word.everIn(0, nowMs(), (word) => word === true);
    // An alert that waited while its deadline moved is sent again with the new deadline.
    const isRetold = own.told.some(
      ({ step, dueMs, settled }) =>
        step === told.step && dueMs !== told.dueMs && settled === "obsolete",
    );
    if (isRetold || wasSilenced) return;
    if (news !== undefined && news - HELD_MS >= begins && news < told.atMs) {
      violate("COLLAPSE", `${told.step} after its owner was told of it with less time left`);
    }
  };

  return {
    onMessage: (message) => {
      const told = ledger.byNonce.get(message.nonce);
      if (told === undefined) {
        const isAlert = JSON.stringify(message.body).includes("INF-");
        if (isAlert) violate("ONCE", "an alert that nobody handed over");
        return;
      }
      told.messages.push(message);
      const row = ledger.rows.get(told.accountId);
      const own = row?.cases.get(told.infractionId);
      if (row === undefined || own === undefined) return;
      const earliest = told.attempts[0]?.atMs ?? nowMs();
      const isBlind = nowMs() - earliest <= BLIND_MS + MOMENT_MS;
      const fromMs = (isBlind ? Math.min(earliest, nowMs()) : nowMs()) - MOMENT_MS;
      once(told, own, message);
      truth(told, own, fromMs);
      place(told, own, row, message, fromMs);
      quiet(told, row, fromMs);
      ping(told, row, message);
      collapsed(told, own);
    },
  };
};

const keepsDeadline = (step: AlertStep): boolean => isReminder(step) || step === "overdue";

/** An unread history leaves open whether it was posted before its deadline moved. */
const isUnsure = ({ troubles, settled }: Told): boolean =>
  settled !== "sent" && (troubles.has("history_refused") || troubles.has("history_failing"));

/** The alert that a repeat repeats; undefined for any other. */
const firstOf = (told: Told, own: Case): Told | undefined =>
  own.told.find(({ delivery }) => delivery.dedupeKey === told.delivery.repeatOf);
