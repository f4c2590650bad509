import { gather } from "#src/services/money/withdraw-reconcile.ts";
import { outcomeNotice } from "#src/services/money/withdraw-transition.ts";
import type { WithdrawJournal } from "#src/domain/withdraw-journal.ts";
import type { Plant } from "../bot.ts";

/** Takes one absence for proof as soon as the request is that old. */
export const settlesAfter =
  (ms: number): Plant =>
  (needs) => {
    const { journal } = needs;
    const conclude: WithdrawJournal["amend"] = async (op, change, at) => {
      const sentMs = op.sentAt?.epochMilliseconds ?? Infinity;
      const isRead = change.checks !== undefined && op.txid === undefined && op.kind !== "cancel";
      const isOpen = op.state === "unknown" || op.state === "manual";
      const found = await needs.findByFingerprint(op.accountFp, op.ownerId);
      if (!isRead || !isOpen || found === undefined || at.epochMilliseconds - sentMs < ms) {
        return await journal.amend(op, change, at);
      }
      const key = { apiKey: found.apiKey, fingerprint: op.accountFp };
      const evidence = await gather(needs, op, key, "job");
      if (evidence.kind !== "absent") return await journal.amend(op, change, at);
      const notices = [outcomeNotice(needs, { ...op, state: "not_executed" }, undefined, at)];
      const step = { to: "not_executed", reason: "absent", notices } as const;
      const result = await journal.move(op, step, at);
      return result.kind === "moved" ? result.op : undefined;
    };
    return { ...needs, journal: { ...journal, amend: conclude } };
  };
